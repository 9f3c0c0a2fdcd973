import { mean } from "simple-statistics";
import type { Reason } from "./interval.ts";

/** Unbiased probability that at least one of k attempts passes, from c passes of n (Chen et al. 2021, arXiv:2107.03374). */
export function passAtK(n: number, c: number, k: number): number {
  checkDraw(n, c, k);
  let allFail = 1;
  for (let drawn = 0; drawn < k; drawn += 1) allFail *= Math.max(0, n - c - drawn) / (n - drawn);
  return 1 - allFail;
}

/** Unbiased probability that all of k attempts pass, from c passes of n. */
export function passHatK(n: number, c: number, k: number): number {
  checkDraw(n, c, k);
  let allPass = 1;
  for (let drawn = 0; drawn < k; drawn += 1) allPass *= Math.max(0, c - drawn) / (n - drawn);
  return allPass;
}

function checkDraw(n: number, c: number, k: number): void {
  if (!(k >= 1 && k <= n && c >= 0 && c <= n))
    throw new RangeError(`Cannot draw ${k} of ${n} attempts with ${c} passes`);
}

/** pass@k and pass^k averaged over tasks. */
export type PassAtK =
  { passAtK: number; passHatK: number; reason: null } | { passAtK: null; passHatK: null; reason: Reason };

/** Estimates both for every task of one arm and averages them; every task must have k attempts. */
export function averagePassAtK(outcomes: readonly (readonly boolean[])[], k: number): PassAtK {
  const observed = outcomes.filter((attempts) => attempts.length > 0);
  const none = { passAtK: null, passHatK: null };
  if (observed.length === 0) return { ...none, reason: { code: "no-pairs", message: "no attempt", needed: null } };
  const smallest = Math.min(...observed.map((attempts) => attempts.length));
  if (k > smallest) {
    const message = `a task has ${smallest} ${smallest === 1 ? "repetition" : "repetitions"}; k = ${k} needs ${k} of every task`;
    return { ...none, reason: { code: "too-few-repetitions", message, needed: { unit: "repetitions", count: k } } };
  }
  const draws = observed.map((attempts) => ({ n: attempts.length, c: attempts.filter(Boolean).length }));
  return {
    passAtK: mean(draws.map(({ n, c }) => passAtK(n, c, k))),
    passHatK: mean(draws.map(({ n, c }) => passHatK(n, c, k))),
    reason: null,
  };
}
