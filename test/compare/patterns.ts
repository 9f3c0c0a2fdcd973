import type { RunRecord } from "../../src/record/schema.ts";
import { block } from "./records.ts";

/** Pairs of one task: `b` both verified, `+` only the candidate, `-` only the baseline, `.` neither. Orders alternate. */
export function patternTask(taskID: string, pairs: string, changes: Partial<RunRecord> = {}): RunRecord[] {
  return [...pairs].flatMap((pair, repetition) =>
    block(
      { taskID, repetition, ...changes },
      { verified: pair === "b" || pair === "-", position: repetition % 2 === 0 ? 0 : 1, elapsedMs: 2000 },
      { verified: pair === "b" || pair === "+", position: repetition % 2 === 0 ? 1 : 0, elapsedMs: 1000 },
    ),
  );
}

/** Tasks `t0`, `t1`, ... */
export function patternTasks(patterns: readonly string[]): RunRecord[] {
  return patterns.flatMap((pattern, index) => patternTask(`t${index}`, pattern));
}

export function repeat(pattern: string, count: number): string[] {
  return Array<string>(count).fill(pattern);
}
