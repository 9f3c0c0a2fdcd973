import type { Interval, Reason } from "../../statistics/interval.ts";
import { orderEffect, type OrderedPair } from "../../statistics/order-effect.ts";
import type { Pair } from "../pair.ts";
import * as fixedSample from "./fixed-sample.ts";
import type { TaskPairs } from "./tasks.ts";

/** What going second is worth in success: a diagnostic, never a reason to choose an analysis. */
export interface OrderInference {
  /** As many pairs of one order as of the other, or one apart; null where the order was not recorded. */
  balanced: boolean | null;
  baselineFirst: number;
  candidateFirst: number;
  /** Half the difference between the two orders' mean differences: above 0, the second place helps. */
  effect: number | null;
  interval: Interval | null;
  /** null when there is an interval. */
  reason: Reason | null;
}

export function inferOrder(tasks: readonly TaskPairs[], alpha: number, isFixed: boolean): OrderInference {
  const ordered = tasks.map(({ pairs }) => pairs.flatMap(orderedPair));
  if (ordered.every((pairs) => pairs.length === 0)) {
    const message = "the records do not say which arm of a pair ran first";
    const reason: Reason = { code: "order-unknown", message, needed: null };
    return { balanced: null, baselineFirst: 0, candidateFirst: 0, effect: null, interval: null, reason };
  }
  const { isBalanced, baselineFirst, candidateFirst, effect, ...found } = orderEffect(ordered, 1 - alpha);
  return { balanced: isBalanced, baselineFirst, candidateFirst, effect, ...fixedSample.interval(isFixed, found) };
}

function orderedPair(pair: Pair): OrderedPair[] {
  const baselineFirst = isBaselineFirst(pair);
  if (baselineFirst === null) return [];
  const { baseline, candidate } = pair;
  return [{ baselineFirst, difference: Number(candidate.run.verified) - Number(baseline.run.verified) }];
}

/** null where neither attempt states its position. */
export function isBaselineFirst({ baseline, candidate }: Pair): boolean | null {
  if (baseline.run.position !== undefined) return baseline.run.position === 0;
  return candidate.run.position === undefined ? null : candidate.run.position === 1;
}
