import { eValue } from "../../statistics/e-process.ts";
import type { Interval, Reason } from "../../statistics/interval.ts";
import { countPairs, type BinaryTask } from "../../statistics/paired-counts.ts";
import type { TestResult } from "../../statistics/p-value.ts";
import { averagePassAtK } from "../../statistics/pass-at-k.ts";
import { signFlipTest } from "../../statistics/sign-flip.ts";
import { successDifference } from "../../statistics/success-difference.ts";
import { varianceComponents, type VarianceComponents } from "../../statistics/variance-components.ts";
import { successRate } from "../../statistics/wilson.ts";
import type { PairCounts } from "../pair-counts.ts";
import * as fixedSample from "./fixed-sample.ts";
import type { Estimated } from "./metrics.ts";
import { reportedKs } from "./per-task.ts";

/** The share of verified attempts of one arm. */
interface RateInference {
  /** 0 to 1. */
  rate: number;
  interval: Interval | null;
  /** null when there is an interval. */
  reason: Reason | null;
}

/** pass@k and pass^k of both arms, averaged over tasks. */
interface AveragedAtK {
  k: number;
  passAtK: { baseline: number; candidate: number };
  passHatK: { baseline: number; candidate: number };
}

export interface DifferenceInference extends Estimated {
  /** Sum of the tasks' (candidate - baseline) successes, over pairs. */
  estimate: number;
  /** Cluster-robust; null with one task, and where the cohort could stop on its results. */
  standardError: number | null;
  /** Pairs divided by this are worth as much as independent ones; null with one task. */
  designEffect: number | null;
  test: TestResult;
}

export interface SuccessInference {
  baseline: RateInference;
  candidate: RateInference;
  pairs: PairCounts;
  difference: DifferenceInference;
  /** Where the pairs' differences vary. */
  spread: VarianceComponents;
  /** The ks that every task has repetitions for. */
  atK: AveragedAtK[];
  /** Evidence that may be looked at at any time; only for a cohort run with --until-decided. */
  eValue?: number;
}

/** @param tasks 1 or more, each with 1 pair or more */
export function inferSuccess(tasks: readonly BinaryTask[], alpha: number, isFixed: boolean): SuccessInference {
  const { both, baselineOnly, candidateOnly, neither, sums } = countPairs(tasks);
  return {
    baseline: inferRate(
      tasks.map((task) => task.baseline),
      alpha,
      isFixed,
    ),
    candidate: inferRate(
      tasks.map((task) => task.candidate),
      alpha,
      isFixed,
    ),
    pairs: { both, baselineOnly, candidateOnly, neither },
    difference: inferDifference(tasks, alpha, isFixed),
    spread: varianceComponents(tasks),
    atK: averagedAtK(tasks),
    ...(isFixed ? {} : { eValue: eValue(sums).eValue }),
  };
}

function inferRate(outcomes: readonly (readonly boolean[])[], alpha: number, isFixed: boolean): RateInference {
  const found = successRate(outcomes, 1 - alpha);
  return { rate: found.rate ?? 0, ...fixedSample.interval(isFixed, found) };
}

/** @param tasks 1 or more, each with 1 pair or more */
export function inferDifference(tasks: readonly BinaryTask[], alpha: number, isFixed: boolean): DifferenceInference {
  const counts = countPairs(tasks);
  const found = successDifference(counts, 1 - alpha);
  return {
    estimate: found.estimate ?? 0,
    standardError: isFixed ? found.standardError : null,
    designEffect: found.designEffect,
    ...fixedSample.interval(isFixed, found),
    test: fixedSample.test(isFixed, signFlipTest(counts.sums, alpha)),
  };
}

function averagedAtK(tasks: readonly BinaryTask[]): AveragedAtK[] {
  return reportedKs.flatMap((k) => {
    const baseline = averagePassAtK(
      tasks.map((task) => task.baseline),
      k,
    );
    const candidate = averagePassAtK(
      tasks.map((task) => task.candidate),
      k,
    );
    if (baseline.reason !== null || candidate.reason !== null) return [];
    return [
      {
        k,
        passAtK: { baseline: baseline.passAtK, candidate: candidate.passAtK },
        passHatK: { baseline: baseline.passHatK, candidate: candidate.passHatK },
      },
    ];
  });
}
