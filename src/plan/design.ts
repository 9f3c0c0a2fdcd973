import { detectableDifference, power, requiredTasks, type Design } from "../statistics/power.ts";
import { neededInformativeTasks } from "../statistics/p-value.ts";

/** Variances of the pairs' differences in success, supposed or from a pilot. */
export interface Spread {
  name: string;
  /** Share of pairs in which exactly one arm verifies: no difference can be larger. */
  differing: number;
  /** Of the tasks' true differences. */
  betweenTasks: number;
  /** Of one pair's difference within its task. */
  withinTask: number;
}

/** What a design can decide, were the spread the true one. Differences are of success rates, 0 to 1. */
export interface Assessment extends Spread {
  /** The smallest difference shown with `power`; null where none that can occur is. */
  detectable: {
    planned: number | null;
    twiceTheTasks: number | null;
    twiceTheRepetitions: number | null;
  };
  /** Chance that arms that are alike are shown to be non-inferior; null without a margin. */
  nonInferiority: number | null;
  /** Tasks, with the planned repetitions, that show non-inferiority of arms that are alike with `power`; null without a margin or a number. */
  tasksForMargin: number | null;
}

export interface DesignQuestion {
  tasks: number;
  repetitions: number;
  alpha: number;
  power: number;
  margin: number | null;
}

/**
 * Plausible spreads, where no pilot tells: a share of pairs in which exactly one arm verifies, of whose variance three tenths lie between
 * tasks. A pair's difference is -1, 0 or 1, so that with arms alike its variance is that share.
 */
export const plausibleSpreads: readonly Spread[] = [
  { name: "1 of 10 pairs differs", share: 0.1 },
  { name: "1 of 4 pairs differs", share: 0.25 },
  { name: "1 of 2 pairs differs", share: 0.5 },
].map(({ name, share }) => ({ name, differing: share, betweenTasks: 0.3 * share, withinTask: 0.7 * share }));

/** By the noncentral t distribution; with few tasks the analysis itself needs some more (docs/statistics.md). */
export function assessDesign(question: DesignQuestion, spread: Spread): Assessment {
  const { tasks, repetitions, alpha, margin } = question;
  const designOf = (count: number): Design => ({ ...spread, repetitions: count, alpha });
  const detectable = (taskCount: number, repetitionCount: number): number | null => {
    // With fewer, no outcome of the test is significant.
    if (taskCount < neededInformativeTasks(alpha)) return null;
    const found = detectableDifference(designOf(repetitionCount), taskCount, question.power);
    return found === null || found > spread.differing ? null : found;
  };
  const isAsked = margin !== null && margin > 0;
  return {
    ...spread,
    detectable: {
      planned: detectable(tasks, repetitions),
      twiceTheTasks: detectable(2 * tasks, repetitions),
      twiceTheRepetitions: detectable(tasks, 2 * repetitions),
    },
    nonInferiority: isAsked ? power(designOf(repetitions), tasks, margin) : null,
    tasksForMargin: isAsked ? (requiredTasks(designOf(repetitions), margin, question.power)?.tasks ?? null) : null,
  };
}
