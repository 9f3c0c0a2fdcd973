import { normalQuantile } from "../../statistics/normal.ts";
import type { BinaryTask } from "../../statistics/paired-counts.ts";
import { power, requiredTasks, type Design } from "../../statistics/power.ts";
import { varianceComponents } from "../../statistics/variance-components.ts";

/** What would decide, if the observed difference and spread were the true ones. */
export interface Needed {
  /** Tasks in all, with the repetitions of now; null where no number that could be named would do. */
  tasks: number | null;
  /** Repetitions of each task, with the tasks of now; null where no number would do. */
  repetitions: number | null;
  /** The chance of deciding that both numbers aim at. */
  power: number;
}

const wantedPower = 0.8;
const mostRepetitions = 1000;

/**
 * The size of a cohort that would show a distance from the value in question (0, or the margin) with 80% power.
 * @param distance of the estimate from that value, above 0
 * @param fewest tasks without which no outcome would do
 */
export function neededToShow(tasks: readonly BinaryTask[], distance: number, alpha: number, fewest = 0): Needed {
  const none = { tasks: null, repetitions: null, power: wantedPower };
  if (!(distance > 0) || tasks.length < 2) return none;
  const { betweenTasks, withinTask, total } = varianceComponents(tasks);
  const pairs = tasks.reduce((sum, task) => sum + task.baseline.length, 0);
  const repetitions = pairs / tasks.length;
  if (total === null) return none;
  if (total === 0) return { ...none, tasks: withoutDiscordance(distance, alpha) };
  // With one pair a task the two components cannot be told apart, and more repetitions cannot be judged.
  const [between, within] = betweenTasks === null || withinTask === null ? [total, 0] : [betweenTasks, withinTask];
  const design: Design = { betweenTasks: between, withinTask: within, repetitions, alpha };
  return {
    tasks: atLeast(requiredTasks(design, distance, wantedPower)?.tasks ?? null, Math.max(fewest, tasks.length + 1)),
    repetitions:
      within === 0 || fewest > tasks.length
        ? null
        : atLeast(requiredRepetitions(design, tasks.length, distance), Math.floor(repetitions) + 1),
    power: wantedPower,
  };
}

/** What was run did not decide, so that no smaller cohort is offered. */
function atLeast(count: number | null, fewest: number): number | null {
  return count === null ? null : Math.max(count, fewest);
}

/** Where no pair differs, the interval's half width is z²/(T + z²) by Tango's formula at one effective pair a task. */
function withoutDiscordance(distance: number, alpha: number): number | null {
  const z = normalQuantile(1 - alpha / 2);
  return distance >= 1 ? null : Math.ceil((z * z * (1 - distance)) / distance) + 1;
}

function requiredRepetitions(design: Design, tasks: number, distance: number): number | null {
  const reaches = (repetitions: number): boolean =>
    (power({ ...design, repetitions }, tasks, distance) ?? 0) >= wantedPower;
  if (!reaches(mostRepetitions)) return null;
  let [low, high] = [0, mostRepetitions];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}
