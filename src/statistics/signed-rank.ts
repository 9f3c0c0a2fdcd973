import { normalQuantile } from "./normal.ts";
import { boundPValue, lackOfInformation, type TestResult } from "./p-value.ts";
import { signedSumTail, subsetSumProbabilities, subsetSumWork } from "./signed-sum.ts";

/**
 * Values closer than this count as equal, and as 0 when they are that small: the rounding of means and logarithms must not break
 * a tie.
 */
export function tieTolerance(values: readonly number[]): number {
  return 1e-12 * values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1);
}

/**
 * Wilcoxon's two-sided signed-rank test of task values (log ratios, differences), with the zeros ranked and then left out (Pratt
 * 1959) and equal sizes sharing their middle rank. Its null: the values are symmetric about 0. Exact over all signs up to a bound
 * on work, beyond it a saddle-point approximation.
 * @param alpha the level at which the result will be judged; it only decides whether too few tasks differ
 */
export function signedRankTest(values: readonly number[], alpha: number, bound?: number): TestResult {
  const ranks = doubledRanks(values);
  const weights = ranks.map(Math.abs).filter((rank) => rank > 0);
  const informativeTasks = weights.length;
  if (values.length === 0) {
    const reason = { code: "no-pairs", message: "no task has a value to test", needed: null } as const;
    return { method: "signed-rank-exact", pValue: null, isBound: false, midPValue: null, informativeTasks, reason };
  }
  const observed = ranks.reduce((sum, rank) => sum + rank, 0);
  const tail = signedSumTail(weights, observed, bound);
  return {
    method: tail.isExact ? "signed-rank-exact" : "signed-rank-approximate",
    ...boundPValue(tail.twoSided),
    midPValue: boundPValue(tail.mid).pValue,
    informativeTasks,
    reason: lackOfInformation(informativeTasks, alpha),
  };
}

/** V, the sum of the ranks of the values above 0, ranked by size among all, zeros included. */
export function signedRankStatistic(values: readonly number[]): number {
  return doubledRanks(values).reduce((sum, rank) => sum + Math.max(0, rank), 0) / 2;
}

/** Twice the midrank of each value's size, with the value's sign; 0 for a value of 0. Doubling keeps midranks whole. */
function doubledRanks(values: readonly number[]): number[] {
  const tolerance = tieTolerance(values);
  const order = values.map((_, index) => index).sort((i, j) => Math.abs(values[i]!) - Math.abs(values[j]!));
  const ranks = new Array<number>(values.length).fill(0);
  for (let first = 0; first < order.length;) {
    let last = first;
    while (last + 1 < order.length && sizeAt(last + 1) - sizeAt(last) <= tolerance) last += 1;
    for (let place = first; place <= last; place += 1) {
      const value = values[order[place]!]!;
      if (Math.abs(value) > tolerance) ranks[order[place]!] = Math.sign(value) * (first + last + 2);
    }
    first = last + 1;
  }
  return ranks;

  function sizeAt(place: number): number {
    return Math.abs(values[order[place]!]!);
  }
}

/** P(V <= v) of the signed-rank statistic V of n values without ties or zeros, exact. */
export function signedRankCdf(v: number, n: number): number {
  const largest = (n * (n + 1)) / 2;
  if (v < 0) return 0;
  if (v >= largest) return 1;
  // V is symmetric about half its largest value; the shorter side is summed.
  if (v > largest / 2) return 1 - signedRankCdf(largest - Math.floor(v) - 1, n);
  return subsetSumProbabilities(ranksUpTo(n), Math.floor(v)).reduce((sum, probability) => sum + probability, 0);
}

/** The smallest v with P(V <= v) >= p of the signed-rank statistic of n values without ties or zeros, exact. */
export function signedRankQuantile(p: number, n: number): number {
  const largest = (n * (n + 1)) / 2;
  const probabilities = subsetSumProbabilities(ranksUpTo(n), largest);
  let sum = 0;
  for (let v = 0; v < largest; v += 1) {
    sum += probabilities[v]!;
    if (sum >= p) return v;
  }
  return largest;
}

/** Which Walsh averages, counted from either end, are the limits of an interval. */
export interface SignedRankLimit {
  /** Counted from 1; null where even the outermost averages do not reach the level. */
  rank: number | null;
  isExact: boolean;
}

/** Additions for an exact limit: fewer than for a test, since its approximation is good to 0.1% where it takes over. */
const limitWorkBound = 3e7;

/**
 * The largest k with P(V <= k - 1) <= tail, for n values: the k-th Walsh averages from both ends then enclose the centre of a
 * symmetric distribution with probability at least 1 - 2·tail. Exact up to the bound on work (n near 600), then by the normal
 * approximation.
 */
export function signedRankLimit(tail: number, n: number, bound = limitWorkBound): SignedRankLimit {
  if (2 ** -n > tail) return { rank: null, isExact: true };
  const ranks = ranksUpTo(n);
  const mean = (n * (n + 1)) / 4;
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  const approximate = mean + normalQuantile(tail) * deviation + 0.5;
  // The exact limit lies close to the approximate one; only that far must the distribution reach.
  const last = Math.min(Math.floor(mean), Math.ceil(approximate + deviation / 2) + 5);
  if (subsetSumWork(ranks, last) > bound) return { rank: Math.floor(approximate), isExact: false };
  const probabilities = subsetSumProbabilities(ranks, last);
  let sum = 0;
  let k = 0;
  while (k <= last && sum + probabilities[k]! <= tail) {
    sum += probabilities[k]!;
    k += 1;
  }
  return { rank: k, isExact: true };
}

function ranksUpTo(n: number): number[] {
  return Array.from({ length: n }, (_, index) => index + 1);
}
