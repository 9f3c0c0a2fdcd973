import { checkLevel, refusal, type IntervalOrReason } from "./interval.ts";
import { criticalT } from "./student-t.ts";

/** One pair: which arm ran first, and candidate minus baseline of whatever is compared. */
export interface OrderedPair {
  baselineFirst: boolean;
  difference: number;
}

/** What running second is worth. A diagnostic: it never chooses an analysis. */
export type OrderEffect = {
  /** Pairs with the baseline first. */
  baselineFirst: number;
  /** Pairs with the candidate first. */
  candidateFirst: number;
  /** As many pairs of one order as of the other, or one apart: a position effect then cancels from the difference. */
  isBalanced: boolean;
  /** Half of (mean difference with the baseline first - with the candidate first): above 0, the second place helps. */
  effect: number | null;
} & IntervalOrReason;

/**
 * The effect of position within the pair. The arm effect cancels from the difference of the two orders' mean differences, and twice
 * the position effect is left. Its variance comes from the tasks' contributions to the two means (linearised, CR1), tasks being
 * the clusters; the interval is effect ± t(T-1) · standard error.
 * @param tasks the pairs of each task
 */
export function orderEffect(tasks: readonly (readonly OrderedPair[])[], level: number): OrderEffect {
  checkLevel(level);
  const observed = tasks.filter((pairs) => pairs.length > 0);
  const all = observed.flat();
  const first = all.filter((pair) => pair.baselineFirst);
  const second = all.filter((pair) => !pair.baselineFirst);
  const counts = {
    baselineFirst: first.length,
    candidateFirst: second.length,
    isBalanced: Math.abs(first.length - second.length) <= 1,
  };
  if (all.length === 0) {
    return { ...counts, effect: null, ...refusal("no-pairs", "no pair to compare", { unit: "tasks", count: 2 }) };
  }
  if (first.length === 0 || second.length === 0) {
    return { ...counts, effect: null, ...refusal("one-order", "every pair ran in the same order") };
  }
  const firstMean = meanDifference(first);
  const secondMean = meanDifference(second);
  const effect = (firstMean - secondMean) / 2;
  if (observed.length < 2) {
    const message = "one task says nothing about other tasks, however often it is repeated";
    return { ...counts, effect, ...refusal("one-task", message, { unit: "tasks", count: 2 }) };
  }
  const influences = observed.map((pairs) =>
    pairs.reduce((sum, pair) => {
      const share = pair.baselineFirst
        ? (pair.difference - firstMean) / first.length
        : (secondMean - pair.difference) / second.length;
      return sum + share / 2;
    }, 0),
  );
  const clusters = influences.length;
  const variance = (clusters / (clusters - 1)) * influences.reduce((sum, influence) => sum + influence ** 2, 0);
  const half = criticalT(level, clusters - 1) * Math.sqrt(variance);
  if (!(half > 1e-12 * Math.max(1, Math.abs(effect)))) {
    return {
      ...counts,
      effect,
      ...refusal("all-tied", "the pairs of each order are too much alike to show their spread"),
    };
  }
  const interval = { method: "cluster-t", level, lower: effect - half, upper: effect + half } as const;
  return { ...counts, effect, interval, reason: null };
}

function meanDifference(pairs: readonly OrderedPair[]): number {
  return pairs.reduce((sum, pair) => sum + pair.difference, 0) / pairs.length;
}
