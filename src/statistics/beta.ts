import { increasingRoot } from "./root.ts";

/** Both tails of a distribution at one point, each without the cancellation of 1 minus the other where it is small. */
export interface Tails {
  /** P(X <= x) */
  lower: number;
  /** P(X > x) */
  upper: number;
}

/** log Γ(z) minus Stirling's formula (z - 1/2) log z - z + log(2π)/2, for z > 0; absolute error below 1e-15. */
function stirlingRemainder(z: number): number {
  let shifted = 0;
  while (z < 12) {
    shifted += (z + 0.5) * Math.log1p(1 / z) - 1;
    z += 1;
  }
  const s = 1 / (z * z);
  const series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / z;
  return shifted + series;
}

/** x log(x/m) + m - x without cancellation where x is near m: the deviance part of Loader's saddle-point expansion (2000). */
function deviance(x: number, m: number): number {
  const v = (x - m) / (x + m);
  if (Math.abs(v) > 0.1) return x * Math.log(x / m) + m - x;
  let sum = 0;
  let power = v;
  for (let odd = 3; odd < 40; odd += 2) {
    power *= v * v;
    sum += power / odd;
  }
  return (x - m) * v + 2 * x * sum;
}

/** x^a y^b / B(a, b) with y = 1 - x; no logarithms of large gammas, so a and b may be in the thousands. */
function betaTerm(x: number, y: number, a: number, b: number): number {
  const n = a + b;
  const remainder = stirlingRemainder(n) - stirlingRemainder(a) - stirlingRemainder(b);
  const exponent = remainder - deviance(a, n * x) - deviance(b, n * y);
  return Math.sqrt((a * b) / (2 * Math.PI * n)) * Math.exp(exponent);
}

/**
 * I_x(a, b) · B(a, b) / (x^a y^b) for x <= a/(a+b): the continued fraction of Didonato and Morris (1992, ACM TOMS 18:360,
 * equation 9), evaluated forwards by Lentz's method.
 */
function betaFraction(x: number, y: number, a: number, b: number): number {
  const lambda = a * y - b * x;
  const partial = (n: number): number =>
    n + (n * (b - n) * x) / (a + 2 * n - 1) + ((a + n) * (lambda + 1 + n * (1 + y))) / (a + 2 * n + 1);
  let value = (a * (lambda + 1)) / (a + 1);
  let numerator = value;
  let denominator = 0;
  for (let n = 1; n < 100_000; n += 1) {
    const width = a + 2 * n - 1;
    const alpha = ((a + n - 1) * (a + b + n - 1) * n * (b - n) * x * x) / (width * width);
    const beta = partial(n);
    denominator = 1 / (beta + alpha * denominator);
    numerator = beta + alpha / numerator;
    const factor = numerator * denominator;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return 1 / value;
}

/** Both tails of the beta distribution at x, where y = 1 - x is given too so that x near 1 loses nothing. */
export function betaTails(x: number, y: number, a: number, b: number): Tails {
  if (x <= 0) return { lower: 0, upper: 1 };
  if (y <= 0) return { lower: 1, upper: 0 };
  if (a * y >= b * x) {
    const lower = Math.min(1, betaTerm(x, y, a, b) * betaFraction(x, y, a, b));
    return { lower, upper: 1 - lower };
  }
  const upper = Math.min(1, betaTerm(x, y, a, b) * betaFraction(y, x, b, a));
  return { lower: 1 - upper, upper };
}

/** P(X <= x) of the beta distribution, the regularised incomplete beta function; relative error near 1e-13 up to a, b of 10,000. */
export function betaCdf(x: number, a: number, b: number): number {
  return betaTails(x, 1 - x, a, b).lower;
}

/** log(x / (1 - x)) of the quantile x that has `lower` below it and `upper` = 1 - lower above it. */
export function betaQuantileLogit(lower: number, upper: number, a: number, b: number): number {
  const at = (w: number): [number, number] => {
    const x = 1 / (1 + Math.exp(-w));
    const y = 1 / (1 + Math.exp(w));
    const tails = betaTails(x, y, a, b);
    const slope = betaTerm(x, y, a, b);
    // The logarithm of the smaller tail is close to linear in w, whatever the size of the tail.
    return lower <= upper
      ? [Math.log(tails.lower / lower), slope / tails.lower]
      : [Math.log(upper / tails.upper), slope / tails.upper];
  };
  return increasingRoot(at, -700, 700, Math.log(a / b));
}

/**
 * The x with P(X <= x) = p of the beta distribution.
 * @throws RangeError unless 0 < p < 1
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`A probability of a quantile lies between 0 and 1, not ${p}`);
  return 1 / (1 + Math.exp(-betaQuantileLogit(p, 1 - p, a, b)));
}
