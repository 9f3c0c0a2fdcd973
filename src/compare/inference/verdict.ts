import { successDifference } from "../../statistics/success-difference.ts";
import { countPairs, type BinaryTask } from "../../statistics/paired-counts.ts";
import type { RatioInference } from "./metrics.ts";
import { neededToShow, type Needed } from "./needed.ts";
import type { DifferenceInference } from "./success.ts";
import { evidence, latencyWords, marginWords, neededWords, points } from "./words.ts";

/** Which way success changed. */
export type Direction = "improved" | "regressed" | "undecided";
/** How success stands to the margin, the smallest loss that would matter. */
export type MarginVerdict = "non-inferior" | "equivalent" | "inferior" | "undecided" | "not-assessed";
/** How the time of pairs that verified in both arms changed. */
export type LatencyVerdict = "faster" | "slower" | "undecided" | "not-assessed";

/** What the data establish, in words that do not exceed them. */
export interface Verdict {
  direction: Direction;
  margin: MarginVerdict;
  /** The interval lies above -margin; also true of most that are equivalent. null without a margin. */
  nonInferior: boolean | null;
  latency: LatencyVerdict;
  /** For an undecided direction or margin; null where neither is. */
  needed: { direction: Needed | null; margin: Needed | null } | null;
  /** One sentence each. */
  reasons: string[];
}

export interface SuccessVerdict {
  direction: Direction;
  margin: MarginVerdict;
  nonInferior: boolean | null;
}

/** Both facets of success. A cohort that was run until decided is judged by its e-value. */
export function judgeSuccess(
  tasks: readonly BinaryTask[],
  difference: DifferenceInference,
  { alpha, margin, eValue }: { alpha: number; margin: number | null; eValue?: number },
): SuccessVerdict {
  const direction =
    eValue === undefined ? directionOf(difference, alpha) : sequentialDirection(difference, eValue, alpha);
  if (margin === null) return { direction, margin: "not-assessed", nonInferior: null };
  if (eValue !== undefined) {
    const isShown = direction === "improved";
    return { direction, margin: isShown ? "non-inferior" : "undecided", nonInferior: isShown };
  }
  const { interval } = difference;
  if (interval === null) return { direction, margin: "undecided", nonInferior: false };
  const nonInferior = interval.lower > -margin;
  if (interval.upper < -margin) return { direction, margin: "inferior", nonInferior };
  const narrow = successDifference(countPairs(tasks), 1 - 2 * alpha).interval;
  if (narrow !== null && narrow.lower > -margin && narrow.upper < margin)
    return { direction, margin: "equivalent", nonInferior };
  return { direction, margin: nonInferior ? "non-inferior" : "undecided", nonInferior };
}

function directionOf({ interval, test }: DifferenceInference, alpha: number): Direction {
  if (interval === null || test.pValue === null || test.pValue > alpha) return "undecided";
  if (interval.lower > 0) return "improved";
  return interval.upper < 0 ? "regressed" : "undecided";
}

function sequentialDirection({ estimate }: DifferenceInference, eValue: number, alpha: number): Direction {
  if (eValue * alpha < 1 || estimate === 0) return "undecided";
  return estimate > 0 ? "improved" : "regressed";
}

/** Latency is asked about only once success is non-inferior: a quick failure is no gain. */
function judgeLatency({ ratio: { interval } }: RatioInference, nonInferior: boolean | null): LatencyVerdict {
  if (nonInferior !== true) return "not-assessed";
  if (interval === null) return "undecided";
  if (interval.upper < 1) return "faster";
  return interval.lower > 1 ? "slower" : "undecided";
}

export function judge(
  tasks: readonly BinaryTask[],
  difference: DifferenceInference,
  latency: RatioInference,
  question: { alpha: number; margin: number | null; eValue?: number },
): Verdict {
  const { alpha, margin } = question;
  const success = judgeSuccess(tasks, difference, question);
  const latencyVerdict = judgeLatency(latency, success.nonInferior);
  const { estimate } = difference;
  const needed = {
    direction:
      success.direction === "undecided"
        ? neededToShow(tasks, Math.abs(estimate), alpha, fewestTasks(difference, tasks.length))
        : null,
    margin: margin !== null && success.margin === "undecided" ? neededToShow(tasks, estimate + margin, alpha) : null,
  };
  const isFixed = question.eValue === undefined;
  const size = { tasks: tasks.length, pairs: tasks.reduce((sum, task) => sum + task.baseline.length, 0) };
  const reasons = [
    `Success ${success.direction === "undecided" ? "is undecided" : success.direction}: ${evidence(difference, question)}.`,
    ...(isFixed && needed.direction !== null
      ? [neededWords("the direction", needed.direction, { ...size, distance: Math.abs(estimate) })]
      : []),
    ...(margin === null ? [] : [marginWords(success.margin, { margin, alpha, isFixed })]),
    ...(isFixed && margin !== null && needed.margin !== null
      ? [neededWords(`a loss below ${points(margin)}`, needed.margin, { ...size, distance: estimate + margin })]
      : []),
    latencyWords(latencyVerdict, latency, margin),
  ];
  const isDecided = needed.direction === null && needed.margin === null;
  return { ...success, latency: latencyVerdict, needed: isFixed && !isDecided ? needed : null, reasons };
}

/** Tasks after which enough of them would differ for the test, at the share that differed so far. */
function fewestTasks({ test }: DifferenceInference, tasks: number): number {
  const needed = test.reason?.needed?.count;
  return needed === undefined || test.informativeTasks === 0 ? 0 : Math.ceil((needed / test.informativeTasks) * tasks);
}
