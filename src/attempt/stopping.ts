import type { RunRecord } from "../record/schema.ts";
import { totalTokens } from "../record/tokens.ts";
import { advanceEProcess, eValueOf, startEProcess } from "../statistics/e-process.ts";

/** What a cohort may use up; it ends with the block that reaches it, so that no pair is half. */
export interface Budget {
  maxTokens?: number;
  maxCostUsd?: number;
}

interface Spending {
  /** @returns why the cohort ends here; null where it goes on. */
  afterBlock(runs: readonly RunRecord[]): string | null;
  /** Attempts that did not state what is limited, so that the sum is too small. */
  unstated(): number;
}

export function spendingOf({ maxTokens, maxCostUsd }: Budget): Spending {
  let [tokens, cost, unstated] = [0, 0, 0];
  return {
    afterBlock(runs) {
      for (const run of runs) {
        const [used, paid] = [totalTokens(run), run.costUsd];
        if ((maxTokens !== undefined && used === undefined) || (maxCostUsd !== undefined && paid === undefined))
          unstated++;
        tokens += used ?? 0;
        cost += paid ?? 0;
      }
      if (maxTokens !== undefined && tokens >= maxTokens) return `${tokens} tokens used of at most ${maxTokens}`;
      if (maxCostUsd !== undefined && cost >= maxCostUsd)
        return `${cost.toFixed(2)} US dollars spent of at most ${maxCostUsd}`;
      return null;
    },
    unstated: () => unstated,
  };
}

/** The evidence of a cohort that runs until it is decided; fed with whole tasks, in an order drawn beforehand. */
export interface Evidence {
  /** @returns the e-value, which suffices at 1 / alpha. */
  afterTask(runs: readonly RunRecord[]): number;
}

/** @param candidate name of the arm whose successes count for it; all others count against it */
export function gatherEvidence(candidate: string): Evidence {
  let process = startEProcess();
  return {
    afterTask(runs) {
      const sum = runs.reduce((total, { verified, arm }) => total + (verified ? (arm === candidate ? 1 : -1) : 0), 0);
      process = advanceEProcess(process, sum);
      return eValueOf(process).eValue;
    },
  };
}
