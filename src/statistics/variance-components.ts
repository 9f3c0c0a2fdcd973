import type { BinaryTask } from "./paired-counts.ts";

/** Where the differences of the pairs vary: between tasks, and between the repetitions of a task. */
export interface VarianceComponents {
  /** tau², variance of the tasks' true differences; null where it cannot be told from the rest. */
  betweenTasks: number | null;
  /** sigma_w², variance of a pair's difference within its task; null where no task has two pairs. */
  withinTask: number | null;
  /** Variance of one pair's difference; null with fewer than two tasks. */
  total: number | null;
}

/**
 * Analysis-of-variance estimates of the components of the pair differences (-1, 0 or 1), for unequal numbers of repetitions (Searle,
 * Casella and McCulloch 1992, section 3.6). A negative estimate of the variance between tasks is set to 0.
 */
export function varianceComponents(tasks: readonly BinaryTask[]): VarianceComponents {
  const groups = tasks
    .map(({ baseline, candidate }) => baseline.map((passed, index) => Number(candidate[index]) - Number(passed)))
    .filter((differences) => differences.length > 0);
  if (groups.length < 2) return { betweenTasks: null, withinTask: null, total: null };
  const n = groups.reduce((sum, differences) => sum + differences.length, 0);
  const grandMean = groups.flat().reduce((sum, difference) => sum + difference, 0) / n;
  let between = 0;
  let within = 0;
  let squares = 0;
  for (const differences of groups) {
    const size = differences.length;
    const taskMean = differences.reduce((sum, difference) => sum + difference, 0) / size;
    between += size * (taskMean - grandMean) ** 2;
    within += differences.reduce((sum, difference) => sum + (difference - taskMean) ** 2, 0);
    squares += size * size;
  }
  const betweenMean = between / (groups.length - 1);
  if (n === groups.length) return { betweenTasks: null, withinTask: null, total: betweenMean };
  const withinTask = within / (n - groups.length);
  const effectiveSize = (n - squares / n) / (groups.length - 1);
  const betweenTasks = Math.max(0, (betweenMean - withinTask) / effectiveSize);
  return { betweenTasks, withinTask, total: betweenTasks + withinTask };
}
