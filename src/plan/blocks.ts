import { seededGenerator, shuffled } from "../statistics/generator.ts";

/** Both attempts of one task and repetition, back to back on one machine. */
export interface Block {
  /** Index of the task in the manifest. */
  task: number;
  /** Counted from 0. */
  repetition: number;
  /** Index of the arm (0 baseline, 1 candidate) at position 0 and at position 1. */
  order: readonly [0, 1] | readonly [1, 0];
}

/**
 * The blocks of a cohort, task by task, repetition by repetition. The baseline goes first where task + repetition is
 * even, so a first task of two repetitions runs baseline, candidate, candidate, baseline.
 * @param seed draws the order of the tasks; without one it is that of the manifest
 */
export function planBlocks(taskCount: number, repetitions: number, seed?: number): Block[] {
  const tasks = Array.from({ length: taskCount }, (_, task) => task);
  const ordered = seed === undefined ? tasks : shuffled(tasks, seededGenerator(seed));
  return ordered.flatMap((task) =>
    Array.from({ length: repetitions }, (_, repetition): Block => {
      return { task, repetition, order: (task + repetition) % 2 === 0 ? [0, 1] : [1, 0] };
    }),
  );
}
