import type { RunRecord } from "../../record/schema.ts";
import type { BinaryTask } from "../../statistics/paired-counts.ts";
import type { Pair } from "../pair.ts";

/** The pairs of one task, under one model and cohort. */
export interface TaskPairs {
  taskID: string;
  pairs: readonly Pair[];
}

/** Success by task and pair. */
export function binaryTasks(tasks: readonly TaskPairs[]): BinaryTask[] {
  return tasks.map(({ pairs }) => ({
    baseline: pairs.map((pair) => pair.baseline.run.verified),
    candidate: pairs.map((pair) => pair.candidate.run.verified),
  }));
}

/** A value of each attempt by task and pair; null where it was not observed. */
export interface ValueTask {
  baseline: (number | null)[];
  candidate: (number | null)[];
}

/** @param valueOf null or undefined where an attempt has no value */
export function valueTasks(
  tasks: readonly TaskPairs[],
  valueOf: (run: RunRecord) => number | null | undefined,
): ValueTask[] {
  return tasks.map(({ pairs }) => ({
    baseline: pairs.map((pair) => valueOf(pair.baseline.run) ?? null),
    candidate: pairs.map((pair) => valueOf(pair.candidate.run) ?? null),
  }));
}

/** Milliseconds of a verified attempt; latency is conditional on success. */
export function verifiedElapsed(run: RunRecord): number | null {
  return run.verified ? run.elapsedMs : null;
}
