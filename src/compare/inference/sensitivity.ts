import type { NumberedRun } from "../../record/record-set.ts";
import { eValue } from "../../statistics/e-process.ts";
import { countPairs, type BinaryTask } from "../../statistics/paired-counts.ts";
import type { Pair } from "../pair.ts";
import { inferDifference, type DifferenceInference } from "./success.ts";
import type { TaskPairs } from "./tasks.ts";
import { judgeSuccess, type Direction, type MarginVerdict, type SuccessVerdict } from "./verdict.ts";

/** How success comes out when doubtful attempts are treated another way. The first is the analysis itself. */
const sensitivityAnalyses = [
  "all-attempts",
  "voided-as-failures",
  "faults-left-out",
  "faults-against-candidate",
] as const;

export interface Sensitivity {
  analysis: (typeof sensitivityAnalyses)[number];
  model: string;
  cohort: string;
  tasks: number;
  pairs: number;
  /** Pairs added, left out or counted otherwise than in the analysis itself. */
  affectedPairs: number;
  /** null where no pair is left. */
  difference: DifferenceInference | null;
  direction: Direction;
  margin: MarginVerdict;
}

export interface SensitivityInput {
  model: string;
  cohort: string;
  tasks: readonly TaskPairs[];
  /** Runs of both arms that void lines set aside. */
  voided: readonly NumberedRun[];
  candidateArm: string;
  question: { alpha: number; margin: number | null };
  /** false where the cohort could stop on its results. */
  isFixed: boolean;
}

interface Variant {
  tasks: BinaryTask[];
  affectedPairs: number;
}

/**
 * - `voided-as-failures`: each occasion that was set aside is a pair more; an attempt of it that did not verify, or is missing,
 *   counts as failed.
 * - `faults-left-out`: pairs with a fault in either attempt are left out.
 * - `faults-against-candidate`: a faulty attempt of the candidate counts as failed, one of the baseline as verified.
 */
export function inferSensitivity(input: SensitivityInput): Sensitivity[] {
  const variants: Variant[] = [
    { tasks: input.tasks.map(({ pairs }) => outcomes(pairs)), affectedPairs: 0 },
    withVoided(input),
    withoutFaults(input.tasks),
    againstCandidate(input.tasks),
  ];
  const first: { found?: Omit<Sensitivity, "analysis" | "affectedPairs"> } = {};
  return variants.map(({ tasks, affectedPairs }, index) => {
    const analysis = sensitivityAnalyses[index]!;
    // The same attempts give the same result; exact tests of thousands of tasks are not run four times.
    const found = affectedPairs === 0 && first.found !== undefined ? first.found : analyse(input, tasks);
    first.found ??= found;
    return { analysis, ...found, affectedPairs };
  });
}

function analyse({ model, cohort, question, isFixed }: SensitivityInput, tasks: readonly BinaryTask[]) {
  const left = tasks.filter((task) => task.baseline.length > 0);
  const pairs = left.reduce((sum, task) => sum + task.baseline.length, 0);
  const difference = pairs === 0 ? null : inferDifference(left, question.alpha, isFixed);
  const { direction, margin }: Pick<SuccessVerdict, "direction" | "margin"> =
    difference === null
      ? { direction: "undecided", margin: question.margin === null ? "not-assessed" : "undecided" }
      : judgeSuccess(left, difference, { ...question, ...(isFixed ? {} : { eValue: evidenceOf(left) }) });
  return { model, cohort, tasks: left.length, pairs, difference, direction, margin };
}

/** The e-value of these tasks, which is not that of the analysis itself. */
function evidenceOf(tasks: readonly BinaryTask[]): number {
  return eValue(countPairs(tasks).sums).eValue;
}

function outcomes(pairs: readonly Pair[]): BinaryTask {
  return {
    baseline: pairs.map((pair) => pair.baseline.run.verified),
    candidate: pairs.map((pair) => pair.candidate.run.verified),
  };
}

function withVoided({ tasks, voided, candidateArm }: SensitivityInput): Variant {
  const occasions = new Map<string, Map<string, { baseline: boolean; candidate: boolean }>>();
  let affectedPairs = 0;
  for (const { run } of voided) {
    const ofTask = occasions.get(run.taskID) ?? new Map<string, { baseline: boolean; candidate: boolean }>();
    occasions.set(run.taskID, ofTask);
    const key = `${run.repetition} ${run.attempt ?? 0}`;
    const occasion = ofTask.get(key) ?? { baseline: false, candidate: false };
    if (!ofTask.has(key)) affectedPairs++;
    ofTask.set(key, occasion);
    if (run.verified && run.fault === undefined) occasion[run.arm === candidateArm ? "candidate" : "baseline"] = true;
  }
  const result = tasks.map(({ taskID, pairs }) => {
    const { baseline, candidate } = outcomes(pairs);
    const more = [...(occasions.get(taskID)?.values() ?? [])];
    return {
      baseline: [...baseline, ...more.map((occasion) => occasion.baseline)],
      candidate: [...candidate, ...more.map((occasion) => occasion.candidate)],
    };
  });
  return { tasks: result, affectedPairs };
}

function hasFault({ run }: NumberedRun): boolean {
  return run.fault !== undefined;
}

function withoutFaults(tasks: readonly TaskPairs[]): Variant {
  let affectedPairs = 0;
  const result = tasks.map(({ pairs }) => {
    const kept = pairs.filter(({ baseline, candidate }) => !hasFault(baseline) && !hasFault(candidate));
    affectedPairs += pairs.length - kept.length;
    return outcomes(kept);
  });
  return { tasks: result, affectedPairs };
}

function againstCandidate(tasks: readonly TaskPairs[]): Variant {
  let affectedPairs = 0;
  const result = tasks.map(({ pairs }) => {
    affectedPairs += pairs.filter(({ baseline, candidate }) => hasFault(baseline) || hasFault(candidate)).length;
    return {
      baseline: pairs.map(({ baseline }) => hasFault(baseline) || baseline.run.verified),
      candidate: pairs.map(({ candidate }) => !hasFault(candidate) && candidate.run.verified),
    };
  });
  return { tasks: result, affectedPairs };
}
