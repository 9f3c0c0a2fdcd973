import { clusterVariance, designEffect } from "./design-effect.ts";
import { checkLevel, refusal, type IntervalOrReason } from "./interval.ts";
import type { PairedCounts } from "./paired-counts.ts";
import { criticalT } from "./student-t.ts";
import { tangoInterval } from "./tango.ts";

/** The difference of the success rates, candidate minus baseline. */
export type SuccessDifference = {
  /** Sum of S_t over pairs; null without a pair. */
  estimate: number | null;
  /** Cluster-robust standard error (CR1); null with fewer than two tasks. */
  standardError: number | null;
  /** Pairs divided by this are worth as much as independent ones; null where it cannot be estimated. */
  designEffect: number | null;
} & IntervalOrReason;

/**
 * Tango's score interval at the effective sample size. With one pair a task it is Tango's own. Where a task has several pairs it
 * is joined with estimate ± t(T-1) · standard error, within [-1, 1]: with few tasks each of the two is too narrow somewhere, and
 * by simulation their union is not (script/simulate.ts).
 */
export function successDifference(counts: PairedCounts, level: number): SuccessDifference {
  checkLevel(level);
  const { tasks, pairs: n, candidateOnly: b, baselineOnly: c, sizes, sums } = counts;
  const none = { standardError: null, designEffect: null };
  if (n === 0)
    return { estimate: null, ...none, ...refusal("no-pairs", "no pair to compare", { unit: "tasks", count: 2 }) };
  const estimate = (b - c) / n;
  if (tasks === 1) {
    const message = "one task says nothing about other tasks, however often it is repeated";
    return { estimate, ...none, ...refusal("one-task", message, { unit: "tasks", count: 2 }) };
  }
  const variance = clusterVariance(sums, sizes, estimate);
  const independent = (b + c - ((b - c) * (b - c)) / n) / (n * n);
  const deff = designEffect(variance, independent, sizes);
  const standardError = Math.sqrt(variance);
  const isClustered = sizes.some((size) => size > 1);
  const interval = tangoInterval(b / deff, c / deff, n / deff, level, isClustered ? "tango-cluster" : "tango");
  if (isClustered) {
    const half = criticalT(level, tasks - 1) * standardError;
    interval.lower = Math.max(-1, Math.min(interval.lower, estimate - half));
    interval.upper = Math.min(1, Math.max(interval.upper, estimate + half));
  }
  return { estimate, standardError, designEffect: deff, interval, reason: null };
}
