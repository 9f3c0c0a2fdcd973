import type { Interval } from "../../statistics/interval.ts";
import type { TestResult } from "../../statistics/p-value.ts";
import { counted } from "../wording.ts";
import type { RatioInference } from "./metrics.ts";
import type { Needed } from "./needed.ts";
import type { DifferenceInference } from "./success.ts";
import type { LatencyVerdict, MarginVerdict } from "./verdict.ts";

/** A difference of rates as points of a hundred, without a sign: `4.2 points`. */
export function points(share: number): string {
  const text = (Math.abs(share) * 100).toFixed(1).replace(/\.0$/, "");
  return `${text} ${text === "1" ? "point" : "points"}`;
}

function signedPoints(share: number): string {
  const text = (share * 100).toFixed(1);
  return /^-?0\.0$/.test(text) ? "0.0" : share > 0 ? `+${text}` : text;
}

function pointsInterval({ level, lower, upper }: Interval): string {
  return `${percent(level)} interval ${signedPoints(lower)} to ${signedPoints(upper)}`;
}

export function ratioInterval({ level, lower, upper }: Interval): string {
  return `${percent(level)} interval ${lower.toPrecision(3)} to ${upper.toPrecision(3)}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(4))}%`;
}

/** `p = 0.031`, `p < 1e-300`. */
function pText({ pValue, isBound }: TestResult): string {
  if (pValue === null) return "no p-value";
  return isBound ? `p < ${pValue}` : `p = ${pValue < 0.0001 ? pValue.toExponential(1) : pValue.toPrecision(2)}`;
}

/** What the judgement of success rests on. */
export function evidence(
  { estimate, interval, reason, test }: DifferenceInference,
  { alpha, eValue }: { alpha: number; eValue?: number },
): string {
  const change = `${signedPoints(estimate)} points`;
  if (eValue !== undefined) {
    return `e-value ${eValue.toPrecision(3)}, ${Number((1 / alpha).toPrecision(4))} needed; the change of ${change} is biased, since the cohort could stop on it`;
  }
  const spread = interval === null ? `no interval, ${reason?.message}` : pointsInterval(interval);
  const lack = test.reason === null ? "" : `; ${test.reason.message}`;
  return `${change}, ${spread}, ${pText(test)}${lack}`;
}

/** How many tasks or repetitions would show it. */
export function neededWords(
  what: string,
  needed: Needed,
  { tasks, pairs, distance }: { tasks: number; pairs: number; distance: number },
): string {
  const now = counted(tasks, "task");
  if (!(distance > 0)) return `No size of cohort shows ${what} at the observed difference.`;
  if (needed.tasks === null) return `How many tasks would show ${what} cannot be told from ${now}.`;
  const repetitions =
    needed.repetitions === null
      ? pairs === tasks
        ? "from one repetition it cannot be told what more of them would do"
        : "more repetitions of the same tasks would not do"
      : `or ${counted(needed.repetitions, "repetition")} of the same tasks`;
  const chance = percent(needed.power);
  return `If the observed difference and spread are the true ones, about ${counted(needed.tasks, "task")} (now ${tasks}) would show ${what} with a chance of ${chance}; ${repetitions}.`;
}

export function marginWords(
  verdict: MarginVerdict,
  { margin, alpha, isFixed }: { margin: number; alpha: number; isFixed: boolean },
): string {
  switch (verdict) {
    case "non-inferior":
      return `Non-inferior: a loss of ${points(margin)} or more is excluded${isFixed ? "" : ", since success improved"}.`;
    case "equivalent":
      return `Equivalent: by the ${percent(1 - 2 * alpha)} interval, a change of ${points(margin)} or more is excluded in both directions.`;
    case "inferior":
      return `Inferior: the loss exceeds the margin of ${points(margin)}.`;
    case "undecided":
      return `A loss of ${points(margin)} or more is neither shown nor excluded.`;
    case "not-assessed":
      return "The margin is not assessed.";
  }
}

export function latencyWords(verdict: LatencyVerdict, latency: RatioInference, margin: number | null): string {
  const { estimate, interval, reason } = latency.ratio;
  const sample = `${counted(latency.pairs, "pair")} verified in both arms, ${counted(latency.tasks, "task")}`;
  const ratio =
    estimate === null
      ? "no ratio"
      : `ratio ${estimate.toPrecision(3)}, ${interval === null ? `no interval, ${reason?.message}` : ratioInterval(interval)}`;
  switch (verdict) {
    case "not-assessed":
      return margin === null
        ? `Latency is not judged: that asks for a margin on success first (${ratio}; ${sample}).`
        : `Latency is not judged, since success is not shown to be non-inferior (${ratio}; ${sample}).`;
    case "undecided":
      return `Latency is undecided: ${ratio}; ${sample}.`;
    case "faster":
    case "slower":
      return `Latency: the candidate is ${verdict} (${ratio}; ${sample}).`;
  }
}
