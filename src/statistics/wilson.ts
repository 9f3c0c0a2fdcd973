import { clusterVariance, designEffect } from "./design-effect.ts";
import { checkLevel, refusal, type Interval, type IntervalMethod, type IntervalOrReason } from "./interval.ts";
import { criticalZ } from "./normal.ts";

/**
 * Wilson's score interval of a proportion (Wilson 1927), for successes of n > 0 trials; both may be fractional. It holds 0 where there
 * is no success, 1 where there is no failure, and its width is never 0.
 */
export function wilsonInterval(successes: number, n: number, level: number, method: IntervalMethod): Interval {
  checkLevel(level);
  const z = criticalZ(level);
  const p = successes / n;
  const scale = 1 + (z * z) / n;
  const centre = (p + (z * z) / (2 * n)) / scale;
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / scale;
  const lower = p <= 0 ? 0 : Math.max(0, centre - half);
  const upper = p >= 1 ? 1 : Math.min(1, centre + half);
  return { method, level, lower, upper };
}

/** A success rate over all attempts of one arm. */
export type Rate = {
  /** Successes over attempts; null without an attempt. */
  rate: number | null;
  /** Attempts divided by this are worth as much as independent ones; null where it cannot be estimated. */
  designEffect: number | null;
} & IntervalOrReason;

/**
 * The success rate of one arm with Wilson's interval at the effective sample size: successes and attempts are both divided by
 * the design effect of the tasks. `outcomes` holds one list of verified or not for each task. One task gives an interval over
 * its repetitions only, and its method says so.
 */
export function successRate(outcomes: readonly (readonly boolean[])[], level: number): Rate {
  checkLevel(level);
  const observed = outcomes.filter((attempts) => attempts.length > 0);
  const sizes = observed.map((attempts) => attempts.length);
  const sums = observed.map((attempts) => attempts.filter(Boolean).length);
  const n = sizes.reduce((sum, size) => sum + size, 0);
  const successes = sums.reduce((sum, count) => sum + count, 0);
  if (n === 0) {
    const reason = refusal("no-pairs", "no attempt to judge a rate by", { unit: "tasks", count: 2 });
    return { rate: null, designEffect: null, ...reason };
  }
  const rate = successes / n;
  if (sizes.length === 1) {
    return {
      rate,
      designEffect: null,
      interval: wilsonInterval(successes, n, level, "wilson-within-task"),
      reason: null,
    };
  }
  const deff = designEffect(clusterVariance(sums, sizes, rate), (rate * (1 - rate)) / n, sizes);
  const interval = wilsonInterval(successes / deff, n / deff, level, "wilson-effective");
  return { rate, designEffect: deff, interval, reason: null };
}
