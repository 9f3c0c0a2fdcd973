import type { PairCounts } from "../pair-counts.ts";
import { countSides } from "../pair-counts.ts";
import { holm } from "../../statistics/holm.ts";
import type { Reason } from "../../statistics/interval.ts";
import { mcnemarTest } from "../../statistics/mcnemar.ts";
import { quantileInterval, type QuantileResult } from "../../statistics/order-statistic.ts";
import type { TestResult } from "../../statistics/p-value.ts";
import { passAtK, passHatK } from "../../statistics/pass-at-k.ts";
import * as fixedSample from "./fixed-sample.ts";
import { verifiedElapsed, type TaskPairs } from "./tasks.ts";

/** A probability for each arm. */
interface AtK {
  /** Attempts drawn, at most the task's repetitions. */
  k: number;
  baseline: number;
  candidate: number;
}

interface ElapsedIntervals {
  /** Milliseconds of verified attempts. */
  median: QuantileResult;
  p95: QuantileResult;
}

/** What is known of one task by itself. It describes this task; it says nothing about others. */
export interface TaskInference {
  taskID: string;
  pairs: PairCounts;
  /** Success rates, candidate - baseline. */
  difference: number;
  /** Exact McNemar over the repetitions, from six repetitions upwards. */
  test: TestResult;
  /** p adjusted for the number of tasks (Holm). */
  pValueHolm: number | null;
  /** Probability that at least one of k attempts verifies, unbiased. */
  passAtK: AtK[];
  /** Probability that all of k attempts verify, unbiased. */
  passHatK: AtK[];
  elapsed: { baseline: ElapsedIntervals; candidate: ElapsedIntervals };
}

/** The ks that are reported, as far as the repetitions go. */
export const reportedKs = [1, 2, 3, 5, 10, 20, 50, 100];
const fewestRepetitions = 6;

export function inferTasks(tasks: readonly TaskPairs[], alpha: number, isFixed: boolean): TaskInference[] {
  const counted = tasks.map((task) => ({ task, counts: countSides(task.pairs) }));
  const tests = counted.map(({ counts }) => fixedSample.test(isFixed, testOf(counts, alpha)));
  const adjusted = holm(tests.map(({ pValue }) => pValue));
  return counted.map(({ task: { taskID, pairs }, counts }, index) => {
    const { both, baselineOnly, candidateOnly } = counts;
    const passes = { baseline: both + baselineOnly, candidate: both + candidateOnly };
    const n = pairs.length;
    const ks = reportedKs.filter((k) => k <= n);
    const at = (estimate: typeof passAtK): AtK[] =>
      ks.map((k) => ({ k, baseline: estimate(n, passes.baseline, k), candidate: estimate(n, passes.candidate, k) }));
    const elapsed = (side: "baseline" | "candidate"): ElapsedIntervals => {
      const values = pairs.map((pair) => verifiedElapsed(pair[side].run)).filter((value) => value !== null);
      const quantile = (p: number): QuantileResult =>
        isFixed ? quantileInterval(values, p, 1 - alpha) : { interval: null, reason: fixedSample.optionalStopping };
      return { median: quantile(0.5), p95: quantile(0.95) };
    };
    return {
      taskID,
      pairs: counts,
      difference: (candidateOnly - baselineOnly) / n,
      test: tests[index]!,
      pValueHolm: adjusted[index] ?? null,
      passAtK: at(passAtK),
      passHatK: at(passHatK),
      elapsed: { baseline: elapsed("baseline"), candidate: elapsed("candidate") },
    };
  });
}

function testOf({ both, baselineOnly, candidateOnly, neither }: PairCounts, alpha: number): TestResult {
  const found = mcnemarTest(candidateOnly, baselineOnly, alpha);
  const repetitions = both + baselineOnly + candidateOnly + neither;
  if (repetitions >= fewestRepetitions) return found;
  const reason: Reason = {
    code: "too-few-repetitions",
    message: `${repetitions} ${repetitions === 1 ? "repetition" : "repetitions"}; a p-value of one task needs ${fewestRepetitions}`,
    needed: { unit: "repetitions", count: fewestRepetitions },
  };
  return { ...found, pValue: null, isBound: false, midPValue: null, reason };
}
