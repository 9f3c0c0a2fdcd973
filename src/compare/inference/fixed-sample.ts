import type { Interval, IntervalOrReason, Reason } from "../../statistics/interval.ts";
import type { TestResult } from "../../statistics/p-value.ts";

/**
 * Intervals and p-values suppose that the number of tasks was fixed beforehand. After a cohort that looked at its results while it
 * ran they would be too sure, so that there they are replaced by this reason.
 */
export const optionalStopping: Reason = {
  code: "optional-stopping",
  message: "the cohort could stop on its results; the e-value is its evidence",
  needed: null,
};

/** Keeps an interval, or takes it away where the sample was not fixed. */
export function interval(
  isFixed: boolean,
  found: IntervalOrReason,
): { interval: Interval | null; reason: Reason | null } {
  if (isFixed) return { interval: found.interval, reason: found.reason };
  return { interval: null, reason: optionalStopping };
}

/** Keeps a p-value, or takes it away where the sample was not fixed. */
export function test(isFixed: boolean, found: TestResult): TestResult {
  return isFixed ? found : { ...found, pValue: null, isBound: false, midPValue: null, reason: optionalStopping };
}
