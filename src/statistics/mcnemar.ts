import { binomialTails } from "./binomial.ts";
import { boundPValue, lackOfInformation, type TestResult } from "./p-value.ts";

/**
 * McNemar's exact test of discordant pairs, for pairs that are independent: one a task, or the repetitions of one task.
 * @param b pairs with only the candidate verified
 * @param c pairs with only the baseline verified
 * @returns p = 1 without a discordant pair; `informativeTasks` counts the discordant pairs
 */
export function mcnemarTest(b: number, c: number, alpha: number): TestResult {
  const discordant = b + c;
  const smaller = Math.min(b, c);
  const reason = lackOfInformation(discordant, alpha, "pair");
  const common = { method: "mcnemar-exact", informativeTasks: discordant, reason } as const;
  if (discordant === 0) return { ...common, pValue: 1, isBound: false, midPValue: 1 };
  const atMost = binomialTails(smaller, discordant, 0.5).lower;
  const below = binomialTails(smaller - 1, discordant, 0.5).lower;
  return { ...common, ...boundPValue(2 * atMost), midPValue: boundPValue(atMost + below).pValue };
}
