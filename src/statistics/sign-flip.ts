import { boundPValue, lackOfInformation, type TestResult } from "./p-value.ts";
import { signedSumTail } from "./signed-sum.ts";

/**
 * The two-sided sign-flip test of the task sums S_t (candidate minus baseline successes): under its null the arms are
 * exchangeable within tasks, so every S_t is symmetric about 0, and the signs of the S_t are fair coins. That is more than equal
 * rates on average. Exact by convolution up to a bound on work, beyond it a saddle-point approximation; exact McNemar's test where
 * every task has one pair.
 * @param sums whole numbers, one a task
 * @param alpha the level at which the result will be judged; it only decides whether too few tasks differ
 */
export function signFlipTest(sums: readonly number[], alpha: number, bound?: number): TestResult {
  const weights = sums.filter((sum) => sum !== 0).map(Math.abs);
  const informativeTasks = weights.length;
  if (sums.length === 0) {
    const reason = { code: "no-pairs", message: "no pair to test", needed: null } as const;
    return { method: "sign-flip-exact", pValue: null, isBound: false, midPValue: null, informativeTasks, reason };
  }
  const observed = sums.reduce((total, sum) => total + sum, 0);
  const tail = signedSumTail(weights, observed, bound);
  return {
    method: tail.isExact ? "sign-flip-exact" : "sign-flip-approximate",
    ...boundPValue(tail.twoSided),
    midPValue: boundPValue(tail.mid).pValue,
    informativeTasks,
    reason: lackOfInformation(informativeTasks, alpha),
  };
}
