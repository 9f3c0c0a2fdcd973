import { checkLevel, refusal, type IntervalMethod, type IntervalOrReason } from "./interval.ts";
import { signedRankLimit, tieTolerance } from "./signed-rank.ts";
import { walshAverage } from "./walsh.ts";

/** A centre of task values, in their unit. */
export type Centre = {
  /** Median of the Walsh averages (Hodges and Lehmann 1963); null without a value. */
  estimate: number | null;
} & IntervalOrReason;

/**
 * The Hodges-Lehmann estimate of the centre of one value a task, with the interval of Walsh averages whose ranks come from the
 * signed-rank distribution without ties (with ties it covers at least as often). Assumes that the values are symmetric about
 * their centre. An interval needs n with 2^-n <= (1 - level)/2: six tasks at 0.95.
 */
export function hodgesLehmann(values: readonly number[], level: number, bound?: number): Centre {
  checkLevel(level);
  const n = values.length;
  const tail = (1 - level) / 2;
  // Without the margin, the rounding of a level such as 1 - 2^-5 would ask for one more.
  const count = Math.ceil(-Math.log2(tail) - 1e-9);
  if (n === 0) return { estimate: null, ...refusal("no-pairs", "no task has a value", { unit: "tasks", count }) };
  const sorted = values.toSorted((left, right) => left - right);
  const averages = (n * (n + 1)) / 2;
  const middle =
    (walshAverage(sorted, Math.floor((averages + 1) / 2)) + walshAverage(sorted, Math.ceil((averages + 1) / 2))) / 2;
  const limit = signedRankLimit(tail, n, bound);
  if (limit.rank === null || limit.rank < 1) {
    const message = `${n === 1 ? "1 task has" : `${n} tasks have`} a value; an interval at level ${level} needs ${count}`;
    return { estimate: middle, ...refusal("too-few-tasks", message, { unit: "tasks", count }) };
  }
  const lower = walshAverage(sorted, limit.rank);
  const upper = walshAverage(sorted, averages + 1 - limit.rank);
  if (upper - lower <= tieTolerance(values)) {
    return { estimate: middle, ...refusal("all-tied", "the tasks' values are too much alike to show their spread") };
  }
  const method: IntervalMethod = limit.isExact ? "hodges-lehmann" : "hodges-lehmann-approximate";
  return { estimate: middle, interval: { method, level, lower, upper }, reason: null };
}
