import { median } from "simple-statistics";
import { metricNames, type MetricName, type RunRecord } from "../record/schema.ts";

export { metricNames, type MetricName };

/** Why a value is null. */
interface Reason {
  /** Stable, in kebab case, for programs. */
  code: "too-few-verified" | "several-cells";
  /** One clause for people. */
  message: string;
  /** How many verified attempts it takes; null where no number would do. */
  needed: number | null;
}

/** How attempts ended that were not verified; each is 0 or more. */
interface Failures {
  failed: number;
  timeout: number;
  cancelled: number;
  /** The CLI completed and the oracle did not pass. */
  completed_unverified: number;
}

/** One counter over the attempts of an arm, failed ones included. */
interface MetricSummary {
  /** Attempts that state the counter. */
  observedCount: number;
  /** Attempts that do not, or whose `metricsStatus` is `partial` or `unavailable`. */
  missingCount: number;
  /** Over the observed; null when there is none. */
  median: number | null;
}

/** The attempts of one arm, in one cell or over all. */
export interface Summary {
  /** Name of the arm. */
  arm: string;
  /** Attempts, all of them; 1 or more. */
  count: number;
  /** Attempts whose oracle passed. */
  verifiedCount: number;
  /** verifiedCount / count, 0 to 1. */
  successRate: number;
  /** Milliseconds, over verified attempts only; null when there is none. */
  successfulElapsedMedianMs: number | null;
  /** Milliseconds, nearest rank, over verified attempts only; null for the reason beside it. */
  successfulElapsedP95Ms: number | null;
  /** null when there is a P95. */
  successfulElapsedP95Reason: Reason | null;
  failures: Failures;
  metrics: Record<MetricName, MetricSummary>;
}

const fewestForP95 = 20;

/**
 * Describes the attempts of one arm.
 * @param runs 1 or more.
 * @param cellCount How many cells they come from; a P95 over several tasks would mostly say which task is slowest.
 */
export function summarize(arm: string, runs: readonly RunRecord[], cellCount: number): Summary {
  const verified = runs.filter((run) => run.verified).map((run) => run.elapsedMs);
  const reason = p95Reason(verified.length, cellCount);
  return {
    arm,
    count: runs.length,
    verifiedCount: verified.length,
    successRate: verified.length / runs.length,
    successfulElapsedMedianMs: medianOf(verified),
    successfulElapsedP95Ms: reason === null ? nearestRank(verified, 0.95) : null,
    successfulElapsedP95Reason: reason,
    failures: countFailures(runs),
    metrics: Object.fromEntries(metricNames.map((name) => [name, summarizeMetric(runs, name)])) as Summary["metrics"],
  };
}

/** The middle value; the mean of the middle two of an even count; null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

function p95Reason(verifiedCount: number, cellCount: number): Reason | null {
  if (cellCount > 1) {
    return { code: "several-cells", message: "aggregate of several cells; see each cell", needed: null };
  }
  if (verifiedCount >= fewestForP95) return null;
  const message = `${verifiedCount} verified attempts, ${fewestForP95} needed`;
  return { code: "too-few-verified", message, needed: fewestForP95 };
}

/** Nearest rank: the smallest value that at least `share` of the values do not exceed. */
function nearestRank(values: readonly number[], share: number): number | null {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

function countFailures(runs: readonly RunRecord[]): Failures {
  const failures: Failures = { failed: 0, timeout: 0, cancelled: 0, completed_unverified: 0 };
  for (const { verified, outcome } of runs) {
    if (!verified) failures[outcome === "completed" ? "completed_unverified" : outcome]++;
  }
  return failures;
}

function summarizeMetric(runs: readonly RunRecord[], name: MetricName): MetricSummary {
  const observed: number[] = [];
  for (const run of runs) {
    const value = run[name];
    if (value !== undefined && (run.metricsStatus ?? "observed") === "observed") observed.push(value);
  }
  return {
    observedCount: observed.length,
    missingCount: runs.length - observed.length,
    median: medianOf(observed),
  };
}
