import type { Block } from "./blocks.ts";

/** What a task may take, in milliseconds. */
export interface TaskLimits {
  timeoutMs: number;
  oracleTimeoutMs: number;
  /** Number of commands before the clock starts, each with the task's own limit. */
  setup: number;
}

/**
 * The longest that the blocks can take when every attempt uses up its limits: commands of setup, the oracle before, the agent, the oracle after.
 * Laying out fixtures, ending processes and removing folders come on top, a fraction of a second each.
 */
export function worstCaseMs(blocks: readonly Block[], tasks: readonly TaskLimits[]): number {
  return blocks.reduce((sum, { task }) => {
    const limits = tasks[task];
    if (limits === undefined) throw new RangeError(`No task ${task}`);
    return sum + 2 * ((limits.setup + 1) * limits.timeoutMs + 2 * limits.oracleTimeoutMs);
  }, 0);
}

/** How many blocks begin with the baseline, and how many with the candidate. */
export function countOrders(blocks: readonly Block[]): { baselineFirst: number; candidateFirst: number } {
  const baselineFirst = blocks.filter(({ order }) => order[0] === 0).length;
  return { baselineFirst, candidateFirst: blocks.length - baselineFirst };
}
