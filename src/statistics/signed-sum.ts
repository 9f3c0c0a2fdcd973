import { normalCdf, normalDensity } from "./normal.ts";

/** Additions that an exact distribution may take, about half a second; beyond it the tail is approximated. */
export const workBound = 5e8;
/** Cells that an exact distribution may hold, 8 bytes each. */
const cellBound = 2e7;

/** The tail of a sum of weights with fair random signs. */
export interface SignedSumTail {
  isExact: boolean;
  /** P(|X| >= |observed|) */
  twoSided: number;
  /** P(|X| > |observed|) + P(|X| = |observed|)/2 */
  mid: number;
}

/**
 * Both tails of X = sum of ±weight_i, signs fair and independent, at `observed`.
 *
 * X is a sum over a random subset, doubled, less the total, so the exact tail is a convolution over subset sums. It is used
 * while it takes at most `bound` additions; beyond, the saddle-point approximation of Lugannani and Rice with Daniels' continuity
 * correction (Daniels 1987), whose relative error falls with the number of weights in the far tail too.
 * @param weights whole, above 0
 * @param observed whole, a value that X can take
 */
export function signedSumTail(weights: readonly number[], observed: number, bound = workBound): SignedSumTail {
  if (weights.length === 0) return { isExact: true, twoSided: 1, mid: 0.5 };
  // A common divisor shortens the distribution and leaves it as it is.
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  const scaled = weights.map((weight) => weight / divisor).sort((left, right) => left - right);
  const size = Math.abs(observed) / divisor;
  const total = scaled.reduce((sum, weight) => sum + weight, 0);
  const cells = (total - size) / 2 + 1;
  if (cells <= cellBound && subsetSumWork(scaled, cells - 1) <= bound) {
    const probabilities = subsetSumProbabilities(scaled, cells - 1);
    const tail = probabilities.reduce((sum, probability) => sum + probability, 0);
    const atObserved = probabilities[cells - 1]!;
    if (size === 0) return { isExact: true, twoSided: 1, mid: 1 - atObserved / 2 };
    return { isExact: true, twoSided: Math.min(1, 2 * tail), mid: 2 * tail - atObserved };
  }
  const twoSided = size === 0 ? 1 : Math.min(1, 2 * saddlePointTail(scaled, size));
  const beyond = size >= total ? 0 : 2 * saddlePointTail(scaled, size + 2);
  return { isExact: false, twoSided, mid: (twoSided + beyond) / 2 };
}

/** Additions that `subsetSumProbabilities` takes. */
export function subsetSumWork(weights: readonly number[], last: number): number {
  let reach = 0;
  let work = 0;
  for (const weight of weights) {
    reach = Math.min(last, reach + weight);
    work += Math.max(0, reach - weight + 1);
  }
  return work;
}

/** Weights after which counts of subsets, below 2^1000, are turned into probabilities before they overflow. */
const batch = 1000;

/**
 * P(sum of a random subset = s) for s from 0 to `last`; every weight is in the subset with probability 1/2. Weights in rising
 * order are quickest. Probabilities below 1e-308 are lost, which the bound on reported p-values covers.
 */
export function subsetSumProbabilities(weights: readonly number[], last: number): Float64Array {
  const subsets = new Float64Array(last + 1);
  subsets[0] = 1;
  let reach = 0;
  for (let first = 0; first < weights.length; first += batch) {
    const some = weights.slice(first, first + batch);
    for (const weight of some) {
      reach = Math.min(last, reach + weight);
      for (let sum = reach; sum >= weight; sum -= 1) subsets[sum]! += subsets[sum - weight]!;
    }
    const share = 2 ** -some.length;
    for (let sum = 0; sum <= reach; sum += 1) subsets[sum]! *= share;
  }
  return subsets;
}

/** P(X >= size) for a sum of signed weights whose values lie 2 apart, size >= 1, approximately. */
function saddlePointTail(weights: readonly number[], size: number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // The middle between the value and its predecessor: the continuity correction for values 2 apart.
  const target = Math.min(size - 1, total - 1);
  const largest = weights[weights.length - 1]!;
  let low = 0;
  let high = 1 / largest;
  while (cumulant(weights, high).slope < target) high *= 2;
  for (let step = 0; step < 100 && high - low > 1e-15 * high; step += 1) {
    const middle = (low + high) / 2;
    if (cumulant(weights, middle).slope < target) low = middle;
    else high = middle;
  }
  const u = (low + high) / 2;
  const { value, curvature } = cumulant(weights, u);
  const r = Math.sqrt(Math.max(0, 2 * (u * target - value)));
  // Near the centre 1/q - 1/r is a difference of large numbers; there the normal distribution is as good.
  if (r < 1e-3) return 1 - normalCdf(target / Math.sqrt(cumulant(weights, 0).curvature));
  const q = Math.sinh(u) * Math.sqrt(curvature);
  return Math.max(0, normalCdf(-r) + normalDensity(r) * (1 / q - 1 / r));
}

/** The cumulant generating function of the signed sum at u >= 0 and its first two derivatives. */
function cumulant(weights: readonly number[], u: number): { value: number; slope: number; curvature: number } {
  let value = 0;
  let slope = 0;
  let curvature = 0;
  for (const weight of weights) {
    const tanh = Math.tanh(u * weight);
    // log cosh without overflow.
    value += u * weight + Math.log1p(Math.exp(-2 * u * weight)) - Math.LN2;
    slope += weight * tanh;
    curvature += weight * weight * (1 - tanh) * (1 + tanh);
  }
  return { value, slope, curvature };
}

function greatestCommonDivisor(left: number, right: number): number {
  while (right !== 0) [left, right] = [right, left % right];
  return left;
}
