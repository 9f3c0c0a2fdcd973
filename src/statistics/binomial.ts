import { betaTails, type Tails } from "./beta.ts";

/** P(X <= k) and P(X > k) of the number X of successes in n independent trials with success probability p. */
export function binomialTails(k: number, n: number, p: number): Tails {
  if (k < 0) return { lower: 0, upper: 1 };
  if (k >= n) return { lower: 1, upper: 0 };
  return betaTails(1 - p, p, n - Math.floor(k), Math.floor(k) + 1);
}

/** P(X <= k) of the binomial distribution. */
export function binomialCdf(k: number, n: number, p: number): number {
  return binomialTails(k, n, p).lower;
}
