import { mean } from "simple-statistics";
import { metricNames, type RunRecord } from "../../record/schema.ts";
import { totalTokens } from "../../record/tokens.ts";
import { hodgesLehmann } from "../../statistics/hodges-lehmann.ts";
import { holm } from "../../statistics/holm.ts";
import type { Interval, Reason } from "../../statistics/interval.ts";
import { latencyRatio, logRatios } from "../../statistics/latency-ratio.ts";
import type { TestResult } from "../../statistics/p-value.ts";
import { signedRankTest } from "../../statistics/signed-rank.ts";
import * as fixedSample from "./fixed-sample.ts";
import { valueTasks, type TaskPairs, type ValueTask } from "./tasks.ts";

/** An estimate with its interval, or with the reason why it has none. */
export interface Estimated {
  /** null without a value. */
  estimate: number | null;
  interval: Interval | null;
  /** null when there is an interval. */
  reason: Reason | null;
}

/** Candidate / baseline over the pairs that have both values. */
export interface RatioInference {
  /** Tasks with at least one such pair. */
  tasks: number;
  pairs: number;
  /** Pairs left out since a value of 0 has no ratio. */
  zeroPairs: number;
  /** Hodges-Lehmann centre of the tasks' mean log ratios, as a ratio. */
  ratio: Estimated;
  test: TestResult;
}

/** The difference of a counter, candidate - baseline, over the pairs in which both attempts state it. */
export interface MetricInference {
  /** Tasks with at least one such pair. */
  tasks: number;
  pairs: number;
  /** Hodges-Lehmann centre of the tasks' mean differences, in the counter's unit. */
  difference: Estimated;
  test: TestResult;
  /** p adjusted for the number of counters (Holm); null where there is none. */
  pValueHolm: number | null;
}

/** The documented counters, and two sums that limits are set on. */
export const inferredMetrics = [...metricNames, "totalTokens", "costUsd"] as const;
export type InferredMetric = (typeof inferredMetrics)[number];

/** What a run states of a metric; undefined where it was not wholly observed. */
export function metricOf(run: RunRecord, name: InferredMetric): number | undefined {
  if ((run.metricsStatus ?? "observed") !== "observed") return undefined;
  return name === "totalTokens" ? totalTokens(run) : run[name];
}

export function inferMetrics(
  tasks: readonly TaskPairs[],
  alpha: number,
  isFixed: boolean,
): Record<InferredMetric, MetricInference> {
  const found = inferredMetrics.map((name) =>
    inferDifference(
      valueTasks(tasks, (run) => metricOf(run, name)),
      alpha,
      isFixed,
    ),
  );
  const adjusted = holm(found.map(({ test }) => test.pValue));
  const entries = inferredMetrics.map((name, index) => [
    name,
    { ...found[index], pValueHolm: adjusted[index] ?? null },
  ]);
  return Object.fromEntries(entries) as Record<InferredMetric, MetricInference>;
}

function inferDifference(tasks: readonly ValueTask[], alpha: number, isFixed: boolean) {
  const means: number[] = [];
  let pairs = 0;
  for (const { baseline, candidate } of tasks) {
    const differences = baseline.flatMap((from, index) => {
      const to = candidate[index] ?? null;
      return from === null || to === null ? [] : [to - from];
    });
    pairs += differences.length;
    if (differences.length > 0) means.push(mean(differences));
  }
  const centre = hodgesLehmann(means, 1 - alpha);
  return {
    tasks: means.length,
    pairs,
    difference: { estimate: centre.estimate, ...fixedSample.interval(isFixed, centre) },
    test: fixedSample.test(isFixed, signedRankTest(means, alpha)),
  };
}

/** @param tasks values above 0 where there is one; pairs with a 0 are left out and counted */
export function inferRatio(tasks: readonly ValueTask[], alpha: number, isFixed: boolean): RatioInference {
  const { taskMeans, pairs, zeroPairs } = logRatios(tasks);
  const centre = latencyRatio(taskMeans, 1 - alpha);
  return {
    tasks: taskMeans.length,
    pairs,
    zeroPairs,
    ratio: { estimate: centre.estimate, ...fixedSample.interval(isFixed, centre) },
    test: fixedSample.test(isFixed, signedRankTest(taskMeans, alpha)),
  };
}
