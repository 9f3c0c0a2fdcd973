import { InputError, type Warning } from "../problem.ts";
import { problemList } from "../record/problem-list.ts";
import type { RecordSet } from "../record/record-set.ts";
import { readPlans, refuseContradictedStop, refuseUnattributed, soleCohortOf } from "./cohort-plan.ts";
import { inferGroups, severalGroups } from "./inference/groups.ts";
import type { Inference, NoInference } from "./inference/inference.ts";
import type { Sensitivity } from "./inference/sensitivity.ts";
import { inferenceWarnings, sensitivityWarnings } from "./inference/warnings.ts";
import { limitations } from "./limitations.ts";
import { countSides, type PairCounts } from "./pair-counts.ts";
import { pairRuns, type Pair, type PairedCell } from "./pair.ts";
import { refuseMissing, refuseUnplanned } from "./plan-refusal.ts";
import { refuseDuplicates, refuseMismatched, refuseNames, refuseUnfinished, refuseUnpaired } from "./refusal.ts";
import { selectRuns } from "./select.ts";
import { medianOf, summarize, type Summary } from "./summary.ts";
import { findWarnings } from "./warnings.ts";

/** All attempts of both arms at one task, under one model and cohort. */
export interface Cell {
  taskID: string;
  model: string;
  cohort: string;
  baseline: Summary;
  candidate: Summary;
}

/** Two arms over the same blocks. Difference = candidate - baseline, ratio = candidate / baseline; nothing is NaN or infinite. */
export interface Comparison {
  schemaVersion: 1;
  /** Ordered by model, cohort and task; 1 or more. */
  cells: Cell[];
  /** Over all cells. */
  baseline: Summary;
  /** Over all cells. */
  candidate: Summary;
  pairs: PairCounts;
  /** candidate.successRate - baseline.successRate, -1 to 1. */
  successRateDifference: number;
  /** Pairs whose attempts both verified; equal to `pairs.both`. */
  pairedVerifiedCount: number;
  /** Of these, the ones that give a ratio of elapsed times. */
  ratioSampleCount: number;
  /** Of these, the ones left out since the baseline took 0 ms, or too little for a finite ratio. */
  ratioZeroBaselineCount: number;
  /** Median of the pairs' ratios, 0 or more; null without a sample. */
  medianCandidateOverBaselineElapsedRatio: number | null;
  /** What the pairs establish; null where they are of several models or cohorts, which are never pooled. */
  inference: Inference | null;
  /** null when there is an inference. */
  inferenceReason: NoInference | null;
  /** One for each model and cohort where there are several; else empty. */
  inferences: Inference[];
  /** Success with doubtful attempts treated otherwise; four for each model and cohort. */
  sensitivity: Sensitivity[];
  /** What was not held constant, or was left out. */
  warnings: Warning[];
  /** What a comparison like this does not establish. */
  limitations: string[];
}

export interface CompareOptions {
  /** The smallest loss of success that would matter, 0 to 1; default: the one that the cohort line states. */
  margin?: number;
  /** The margin was declared before the data, as that of a gate's policy; a cohort line that states another still contradicts it. */
  isDeclared?: boolean;
  /** Two-sided level of every test; intervals are at 1 - alpha. Default 0.05. */
  alpha?: number;
}

/**
 * Compares two arms, pair by pair. The result does not depend on the order of the runs.
 * @throws InputError that names every reason why the records do not support a comparison; docs/comparison.md lists them.
 */
export function compare(
  records: RecordSet,
  baseline: string,
  candidate: string,
  options: CompareOptions = {},
): Comparison {
  refuseNames(records, baseline, candidate);
  refuseOptions(options);
  const problems = problemList(records.file);
  const arms = [baseline, candidate];
  const soleCohort = soleCohortOf(records);
  refuseUnfinished(records, soleCohort, problems);
  refuseUnattributed(records, soleCohort, problems);
  const plans = readPlans(records, soleCohort, problems);
  const selection = selectRuns(records, baseline, candidate, soleCohort);
  const pairing = pairRuns(selection.compared, baseline);
  refuseDuplicates(pairing, problems);
  refuseUnplanned(plans, selection.standing, problems);
  refuseUnpaired(pairing, arms, problems);
  refuseMismatched(pairing, problems);
  const cells = pairing.cells.filter((cell) => cell.pairs.length > 0);
  for (const plan of plans.values()) {
    refuseMissing(plan, arms, pairing, problems);
    const own = cells.filter((cell) => cell.cohort === plan.cohort);
    refuseContradictedStop(plan, pairsOf(own).length, problems);
  }
  if (cells.length === 0) problems.add({ message: "no pair is left to compare", fix: "run the cohort again" });
  problems.throwIfAny();
  const { inferences, sensitivity } = inferGroups(
    { cells, plans, voided: selection.voided, baseline, candidate },
    options,
  );
  const warnings = [
    ...findWarnings({ records, baseline, candidate, plans, selection, cells }),
    ...inferenceWarnings(inferences),
    ...sensitivityWarnings(sensitivity),
  ];
  const [only] = inferences;
  const isOne = inferences.length === 1 && only !== undefined;
  return {
    ...totals(cells, baseline, candidate),
    inference: isOne ? only : null,
    inferenceReason: isOne ? null : severalGroups(inferences.length),
    inferences: isOne ? [] : inferences,
    sensitivity,
    warnings,
    limitations: [...limitations],
  };
}

function refuseOptions({ margin = 0, alpha = 0.05 }: CompareOptions): void {
  if (!(margin >= 0 && margin <= 1))
    throw new InputError({ field: "margin", value: margin, message: "must be a number from 0 to 1" });
  if (!(alpha >= 1e-6 && alpha < 0.5))
    throw new InputError({ field: "alpha", value: alpha, message: "must be a number from 0.000001 to below 0.5" });
}

function totals(cells: readonly PairedCell[], baseline: string, candidate: string) {
  const pairs = pairsOf(cells);
  const counts = countSides(pairs);
  const verified = pairs.filter((pair) => pair.baseline.run.verified && pair.candidate.run.verified);
  const ratios = verified
    .map((pair) => pair.candidate.run.elapsedMs / pair.baseline.run.elapsedMs)
    .filter((ratio) => Number.isFinite(ratio));
  return {
    schemaVersion: 1 as const,
    cells: cells.map(({ taskID, model, cohort, pairs: own }) => ({
      taskID,
      model,
      cohort,
      ...summaries(own, baseline, candidate, 1),
    })),
    ...summaries(pairs, baseline, candidate, cells.length),
    pairs: counts,
    successRateDifference: (counts.candidateOnly - counts.baselineOnly) / pairs.length,
    pairedVerifiedCount: counts.both,
    ratioSampleCount: ratios.length,
    ratioZeroBaselineCount: verified.length - ratios.length,
    medianCandidateOverBaselineElapsedRatio: medianOf(ratios),
  };
}

function pairsOf(cells: readonly PairedCell[]): Pair[] {
  return cells.flatMap((cell) => cell.pairs);
}

function summaries(pairs: readonly Pair[], baseline: string, candidate: string, cellCount: number) {
  return {
    baseline: summarize(
      baseline,
      pairs.map((pair) => pair.baseline.run),
      cellCount,
    ),
    candidate: summarize(
      candidate,
      pairs.map((pair) => pair.candidate.run),
      cellCount,
    ),
  };
}
