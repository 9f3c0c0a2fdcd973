import { betaQuantileLogit, betaTails } from "./beta.ts";

/** P(T <= t) of Student's t distribution with `df` > 0 degrees of freedom, which need not be whole. */
export function tCdf(t: number, df: number): number {
  const square = t * t;
  const tail = betaTails(df / (df + square), square / (df + square), df / 2, 0.5).lower / 2;
  return t < 0 ? tail : 1 - tail;
}

/**
 * The t with P(T <= t) = p of Student's t distribution with `df` > 0 degrees of freedom.
 * @throws RangeError unless 0 < p < 1
 */
export function tQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`A probability of a quantile lies between 0 and 1, not ${p}`);
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  // df/(df + t²) is beta distributed, and its logit is log(df/t²).
  const logit = betaQuantileLogit(2 * tail, 1 - 2 * tail, df / 2, 0.5);
  const t = Math.sqrt(df) * Math.exp(-logit / 2);
  return p < 0.5 ? -t : t;
}

/** The t with (1 - level) / 2 above it. */
export function criticalT(level: number, df: number): number {
  return -tQuantile((1 - level) / 2, df);
}
