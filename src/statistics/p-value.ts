import type { Reason } from "./interval.ts";

/** How a p-value was computed. */
type TestMethod =
  "sign-flip-exact" | "sign-flip-approximate" | "mcnemar-exact" | "signed-rank-exact" | "signed-rank-approximate";

/** Below this a p-value is a bound: smaller ones would come near the smallest numbers that a computer can hold. */
const smallestPValue = 1e-300;

/** The result of a two-sided test. */
export interface TestResult {
  method: TestMethod;
  /** Above 0 and at most 1; null where there is nothing to test. */
  pValue: number | null;
  /** True where the p-value is smaller than `pValue`, to be printed as "< 1e-300". */
  isBound: boolean;
  /** Half the probability of the observed value taken off: closer to alpha on average, but it may exceed alpha. */
  midPValue: number | null;
  /** Tasks whose value is not 0: the only ones that the test learns from. */
  informativeTasks: number;
  /** Set where no outcome with so few informative tasks could be significant, or where there is nothing to test. */
  reason: Reason | null;
}

/** A probability as a p-value: never 0, never above 1. */
export function boundPValue(probability: number): { pValue: number; isBound: boolean } {
  if (probability < smallestPValue) return { pValue: smallestPValue, isBound: true };
  return { pValue: Math.min(1, probability), isBound: false };
}

/** The smallest k with 2^(1 - k) <= alpha: with fewer informative tasks even full agreement of their signs is not significant. */
export function neededInformativeTasks(alpha: number): number {
  // The margin keeps a rounded logarithm of an exact power of two from asking for one more.
  return Math.ceil(1 - Math.log2(alpha) - 1e-12);
}

/**
 * Why a sign test of `informative` tasks (or of the discordant pairs of one task) cannot reach `alpha`, or null where it can.
 */
export function lackOfInformation(informative: number, alpha: number, unit: "task" | "pair" = "task"): Reason | null {
  const count = neededInformativeTasks(alpha);
  if (informative >= count) return null;
  const have = informative === 1 ? `1 ${unit} differs` : `${informative} ${unit}s differ`;
  return {
    code: unit === "task" ? "too-few-tasks-that-differ" : "too-few-pairs-that-differ",
    message: `${have} between the arms; with fewer than ${count} no outcome reaches p <= ${alpha}`,
    needed: { unit: unit === "task" ? "tasks-that-differ" : "pairs-that-differ", count },
  };
}
