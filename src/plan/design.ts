import { seededGenerator, type Generator } from "../statistics/generator.ts";
import { countPairs, type BinaryTask } from "../statistics/paired-counts.ts";
import { detectableDifference, requiredTasks, type Design } from "../statistics/power.ts";
import { neededInformativeTasks } from "../statistics/p-value.ts";
import { simulatedPower } from "../statistics/simulated-power.ts";
import { successDifference } from "../statistics/success-difference.ts";

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
  /** Chance that arms that are alike are shown to be non-inferior, by simulating the analysis; null without a margin. */
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
    nonInferiority: isAsked ? chanceOfNonInferiority({ ...question, margin }, spread) : null,
    tasksForMargin: isAsked ? tasksForMargin({ ...question, margin }, spread) : null,
  };
}

type MarginQuestion = DesignQuestion & { margin: number };

const simulatedCohorts = 1000;

/** The share of simulated cohorts of arms that are alike in which the interval lies above -margin. */
function chanceOfNonInferiority({ tasks, repetitions, alpha, margin }: MarginQuestion, spread: Spread): number {
  const draw = (random: Generator): BinaryTask[] =>
    Array.from({ length: tasks }, () => drawTask(repetitions, spread, random));
  const isShown = (cohort: BinaryTask[]): boolean => {
    const { interval } = successDifference(countPairs(cohort), 1 - alpha);
    return interval !== null && interval.lower > -margin;
  };
  return simulatedPower(draw, isShown, seededGenerator(tasks), simulatedCohorts).power;
}

/**
 * A task of a population in which the arms are alike on average. Pairs differ only in some tasks, each of which leans to one arm or the
 * other, so strongly that the variances are those of the spread.
 */
function drawTask(repetitions: number, { betweenTasks, withinTask }: Spread, random: Generator): BinaryTask {
  const share = Math.min(1, betweenTasks + withinTask);
  const ratio = share === 0 ? 0 : betweenTasks / share;
  // In an affected task this share of pairs differs; the variance between tasks is share · differing · lean².
  const differing = Math.min(1, Math.max(ratio, share));
  const lean = (random() < 0.5 ? -1 : 1) * Math.sqrt(Math.min(1, ratio / differing));
  const isAffected = random() < share / differing;
  const task = { baseline: [] as boolean[], candidate: [] as boolean[] };
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const differs = isAffected && random() < differing;
    const candidateWins = random() < (1 + lean) / 2;
    task.baseline.push(differs ? !candidateWins : true);
    task.candidate.push(differs ? candidateWins : true);
  }
  return task;
}

const mostTasks = 20_000;

/** The t test's number is where the search begins; the analysis itself needs more. */
function tasksForMargin(question: MarginQuestion, spread: Spread): number | null {
  const { repetitions, alpha, margin, power } = question;
  const start = requiredTasks({ ...spread, repetitions, alpha }, margin, power)?.tasks ?? mostTasks;
  for (let tasks = Math.max(neededInformativeTasks(alpha), start); tasks < mostTasks; tasks = Math.ceil(tasks * 1.05)) {
    if (chanceOfNonInferiority({ ...question, tasks }, spread) >= power) return tasks;
  }
  return null;
}
