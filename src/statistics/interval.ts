/** How an interval was made. Stable names for programs; docs/statistics.md explains each. */
export type IntervalMethod =
  /** Wilson's score interval of independent trials. */
  | "wilson"
  /** Wilson's score interval at the effective sample size, tasks as clusters. */
  | "wilson-effective"
  /** Wilson's score interval over the repetitions of the only task: it says nothing about other tasks. */
  | "wilson-within-task"
  /** Tango's score interval, one pair a task. */
  | "tango"
  /** Tango's score interval at the effective sample size, joined with the cluster-robust t interval. */
  | "tango-cluster"
  /** Walsh averages, ranks from the exact signed-rank distribution. */
  | "hodges-lehmann"
  /** Walsh averages, ranks from the normal approximation of the signed-rank distribution. */
  | "hodges-lehmann-approximate"
  /** Two order statistics, coverage from the binomial distribution. */
  | "order-statistic"
  /** Estimate plus and minus Student's t times the cluster-robust standard error, tasks as clusters. */
  | "cluster-t";

/** A two-sided interval. `lower < upper`, both finite, always. */
export interface Interval {
  method: IntervalMethod;
  /** Nominal, 0.95 for 95%. */
  level: number;
  lower: number;
  upper: number;
}

/** Why something could not be said. */
export interface Reason {
  code: ReasonCode;
  /** One sentence for people, without a full stop. */
  message: string;
  /** The smallest count that would do; null where no count would help or none can be named. */
  needed: {
    unit: "tasks" | "tasks-that-differ" | "pairs-that-differ" | "repetitions" | "samples";
    count: number;
  } | null;
}

export type ReasonCode =
  /** No pair at all, or none of the kind that the question is about. */
  | "no-pairs"
  /** One task: nothing is known of the spread between tasks. */
  | "one-task"
  /** The exact distribution cannot reach the level with so few tasks. */
  | "too-few-tasks"
  /** So few tasks differ between the arms that no outcome could be significant. */
  | "too-few-tasks-that-differ"
  /** The same for the pairs of one task. */
  | "too-few-pairs-that-differ"
  /** Too few values of one cell. */
  | "too-few-samples"
  /** Too few values above the quantile: it has no upper limit. */
  | "unbounded"
  /** The values are equal, so that they show no spread to reckon with. */
  | "all-tied"
  /** k is larger than the smallest number of repetitions. */
  | "too-few-repetitions"
  /** Every pair ran in one order. */
  | "one-order"
  /** Which arm of a pair ran first was not recorded. */
  | "order-unknown"
  /** The cohort stopped, or could have, on what it had seen. */
  | "optional-stopping";

/** An interval, or the reason why there is none. */
export type IntervalOrReason = { interval: Interval; reason: null } | { interval: null; reason: Reason };

/** @throws RangeError unless 0 < level < 1 */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`A level lies between 0 and 1, not ${level}`);
}

export function refusal(
  code: ReasonCode,
  message: string,
  needed: Reason["needed"] = null,
): { interval: null; reason: Reason } {
  return { interval: null, reason: { code, message, needed } };
}
