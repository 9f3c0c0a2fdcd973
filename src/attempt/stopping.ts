import type { RunRecord } from "../record/schema.ts";
import { totalTokens } from "../record/tokens.ts";
import { eValue } from "../statistics/e-process.ts";

/** What a cohort may use up; it ends with the block that reaches it, so that no pair is half. */
export interface Budget {
  maxTokens?: number;
  maxCostUsd?: number;
  /** Attempts with a fault: more of them say that the provider or the machine is down. */
  maxFaults?: number;
}

interface Spending {
  add(runs: readonly RunRecord[]): void;
  /** What was used up; null where the cohort may go on. */
  reached(): string | null;
  /** Attempts that did not state what is limited, so that the sum is too small. */
  unstated(): number;
}

/** @param earlier runs of a cut cohort, which have been paid for too */
export function spendingOf({ maxTokens, maxCostUsd, maxFaults }: Budget, earlier: readonly RunRecord[]): Spending {
  let [tokens, cost, unstated, faults] = [0, 0, 0, 0];
  const add = (runs: readonly RunRecord[]): void => {
    for (const run of runs) {
      const [used, paid] = [totalTokens(run), run.costUsd];
      if ((maxTokens !== undefined && used === undefined) || (maxCostUsd !== undefined && paid === undefined))
        unstated++;
      tokens += used ?? 0;
      cost += paid ?? 0;
    }
  };
  add(earlier);
  const countFaults = (runs: readonly RunRecord[]): void => {
    faults += runs.filter(({ fault }) => fault !== undefined).length;
  };
  return {
    add(runs) {
      add(runs);
      countFaults(runs);
    },
    reached() {
      if (maxTokens !== undefined && tokens >= maxTokens) return `${tokens} tokens used of at most ${maxTokens}`;
      if (maxCostUsd !== undefined && cost >= maxCostUsd)
        return `${cost.toFixed(2)} US dollars spent of at most ${maxCostUsd}`;
      if (maxFaults !== undefined && faults >= maxFaults)
        return `${faults} attempts with a fault, of at most ${maxFaults}`;
      return null;
    },
    unstated: () => unstated,
  };
}

/**
 * The evidence of a cohort that runs until it is decided. It may be looked at when every task that was begun is whole.
 * @param standing runs of whole blocks
 */
export function evidenceOf(
  standing: readonly RunRecord[],
  candidate: string,
  repetitions: number,
): { eValue: number; atTaskEnd: boolean } {
  const tasks = new Map<string, { runs: number; sum: number }>();
  for (const { taskID, arm, verified } of standing) {
    const task = tasks.get(taskID) ?? { runs: 0, sum: 0 };
    tasks.set(taskID, task);
    task.runs++;
    task.sum += verified ? (arm === candidate ? 1 : -1) : 0;
  }
  const all = [...tasks.values()];
  const atTaskEnd = all.every(({ runs }) => runs === 2 * repetitions);
  return { eValue: eValue(all.map(({ sum }) => sum)).eValue, atTaskEnd };
}
