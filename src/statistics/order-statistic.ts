import { binomialTails } from "./binomial.ts";
import { checkLevel, refusal, type Reason } from "./interval.ts";

/** An interval of a quantile between two of the values themselves. */
interface QuantileInterval {
  method: "order-statistic";
  /** Nominal. */
  level: number;
  /** Null where no value is low enough to be a limit. */
  lower: number | null;
  /** Null where no value is high enough to be a limit. */
  upper: number | null;
  /** Ranks of the limits among the sorted values, counted from 1. */
  lowerRank: number | null;
  upperRank: number | null;
  /** Probability of covering a continuous distribution's quantile; at least the level. */
  coverage: number;
}

/** A one-sided interval carries the reason `unbounded`; `interval` is null where neither side has a limit. */
export interface QuantileResult {
  interval: QuantileInterval | null;
  reason: Reason | null;
}

/**
 * Distribution-free interval of the p-quantile: the innermost order statistics that leave at most (1 - level)/2 outside on
 * either side by the binomial distribution (David and Nagaraja 2003, section 7.1). Ties make it cover more often.
 * @param values in any order
 */
export function quantileInterval(values: readonly number[], p: number, level: number): QuantileResult {
  checkLevel(level);
  if (!(p > 0 && p < 1)) throw new RangeError(`A quantile lies between 0 and 1, not ${p}`);
  const n = values.length;
  const tail = (1 - level) / 2;
  const lowerRank = lastRankBelow(n, p, tail);
  // The upper limit of p is the lower limit of 1 - p seen from the other end.
  const mirrored = lastRankBelow(n, 1 - p, tail);
  const upperRank = mirrored === null ? null : n + 1 - mirrored;
  // A value below p and one above it are needed: all n on one side must be improbable enough.
  const count = Math.ceil(Math.log(tail) / Math.log(Math.max(p, 1 - p)) - 1e-9);
  const have = `${n} ${n === 1 ? "value" : "values"}`;
  if (lowerRank === null && upperRank === null) {
    const message = `${have}; limits of quantile ${p} at level ${level} need ${count}`;
    return refusal("too-few-samples", message, { unit: "samples", count });
  }
  const sorted = values.toSorted((left, right) => left - right);
  const lower = lowerRank === null ? null : sorted[lowerRank - 1]!;
  const upper = upperRank === null ? null : sorted[upperRank - 1]!;
  if (lower === upper) return refusal("all-tied", "the values are too much alike to show their spread");
  const outside =
    (lowerRank === null ? 0 : binomialTails(lowerRank - 1, n, p).lower) +
    (mirrored === null ? 0 : binomialTails(mirrored - 1, n, 1 - p).lower);
  const coverage = 1 - outside;
  const interval = { method: "order-statistic", level, lower, upper, lowerRank, upperRank, coverage } as const;
  if (lower !== null && upper !== null) return { interval, reason: null };
  const side = upper === null ? "upper" : "lower";
  const message = `${have}; the ${side} limit of quantile ${p} at level ${level} needs ${count}`;
  return { interval, reason: { code: "unbounded", message, needed: { unit: "samples", count } } };
}

/** The largest r with P(fewer than r of n values lie below the p-quantile) <= tail, or null. */
function lastRankBelow(n: number, p: number, tail: number): number | null {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (binomialTails(middle - 1, n, p).lower <= tail) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? null : low;
}

/**
 * The nearest-rank quantile: the smallest value with at least p of the values up to it (type 1 of Hyndman and Fan 1996).
 * @returns null of nothing
 */
export function nearestRankQuantile(values: readonly number[], p: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((left, right) => left - right);
  // The margin undoes the rounding of a product such as 0.95 · 20.
  const rank = Math.max(1, Math.ceil(p * values.length - 1e-9));
  return sorted[rank - 1]!;
}
