import { noncentralTTails } from "./noncentral-t.ts";
import { normalQuantile } from "./normal.ts";
import { criticalT } from "./student-t.ts";

/** A design of T tasks with R pairs each: Var(estimate) = (betweenTasks + withinTask / repetitions) / T. */
export interface Design {
  /** tau², variance of the tasks' true differences, >= 0. */
  betweenTasks: number;
  /** sigma_w², variance of one pair's difference within its task, >= 0. */
  withinTask: number;
  repetitions: number;
  /** Two-sided level. */
  alpha: number;
}

/** More tasks than this are not looked for. */
const mostTasks = 1_000_000;

/** Variance of one task's mean difference. */
function taskVariance({ betweenTasks, withinTask, repetitions }: Design): number {
  return betweenTasks + withinTask / repetitions;
}

/**
 * Probability that the two-sided t test of the task means detects a true difference, by the noncentral t distribution. Used as the
 * power of the analysis here, which simulation confirms where tasks are not few (script/simulate.ts).
 * @returns null with fewer than two tasks, and 1 where nothing varies
 */
export function power(design: Design, tasks: number, difference: number): number | null {
  if (tasks < 2) return null;
  const variance = taskVariance(design);
  if (variance <= 0) return difference === 0 ? design.alpha : 1;
  const critical = criticalT(1 - design.alpha, tasks - 1);
  const noncentrality = Math.abs(difference) * Math.sqrt(tasks / variance);
  const above = noncentralTTails(critical, tasks - 1, noncentrality).upper;
  const below = noncentralTTails(-critical, tasks - 1, noncentrality).lower;
  return above + below;
}

/** Tasks that detect a difference with a given power, and what was reached. */
export interface RequiredTasks {
  tasks: number;
  power: number;
}

/** Tasks by the normal approximation, not rounded: (z of alpha/2 + z of power)² · variance / difference². */
export function normalRequiredTasks(design: Design, difference: number, wanted: number): number {
  const z = -normalQuantile(design.alpha / 2) + normalQuantile(wanted);
  return (z * z * taskVariance(design)) / (difference * difference);
}

/** The smallest T >= 2 with power >= `wanted`; null where a million tasks do not do, as for a difference of 0. */
export function requiredTasks(design: Design, difference: number, wanted: number): RequiredTasks | null {
  const reaches = (tasks: number): boolean => power(design, tasks, difference)! >= wanted;
  const start = normalRequiredTasks(design, difference, wanted);
  if (!(start <= mostTasks)) return null;
  // The t distribution always asks for more tasks than the normal one, by few.
  let low = Math.max(1, Math.floor(start) - 1);
  let high = Math.max(2, Math.ceil(start) + 1);
  while (!reaches(high)) {
    if (high > mostTasks) return null;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return { tasks: high, power: power(design, high, difference)! };
}

/** The smallest difference (above 0, in the unit of the values) that T tasks detect with power `wanted`; null with fewer than two tasks. */
export function detectableDifference(design: Design, tasks: number, wanted: number): number | null {
  if (tasks < 2) return null;
  const unit = Math.sqrt(taskVariance(design) / tasks);
  if (unit === 0) return 0;
  let low = 0;
  let high = unit;
  while (power(design, tasks, high)! < wanted) high *= 2;
  for (let step = 0; step < 60 && high - low > 1e-12 * high; step += 1) {
    const middle = (low + high) / 2;
    if (power(design, tasks, middle)! >= wanted) high = middle;
    else low = middle;
  }
  return high;
}
