import Table from "cli-table3";
import type { ArmCost, Pilot } from "../compare/pilot.ts";
import type { Assessment } from "../plan/design.ts";
import { counted, formatCount, formatMilliseconds, noValue } from "./numbers.ts";
import { plain, wrap } from "./plain.ts";

/** What the cohort is expected to take, from the means of a pilot; null where it states none. */
export interface ExpectedCost {
  hours: number;
  totalTokens: number | null;
  costUsd: number | null;
}

/** A cohort before it runs. */
export interface CohortPlan {
  schemaVersion: 1;
  cohort: string;
  /** `[baseline, candidate]`. */
  arms: [string, string];
  tasks: number;
  repetitions: number;
  blocks: number;
  attempts: number;
  order: { baselineFirst: number; candidateFirst: number };
  /** Milliseconds, when every attempt uses up its limits. */
  worstCaseMs: number;
  margin: number | null;
  alpha: number;
  power: number;
  /** One for each spread that is supposed, or the pilot's. */
  designs: Assessment[];
  pilot: Pilot | null;
  expected: ExpectedCost | null;
  schedule: { taskID: string; repetition: number; order: string[] }[];
}

const shownBlocks = 6;

export function expectedCost({ baseline, candidate }: Pilot, blocks: number): ExpectedCost {
  const both = (value: (cost: ArmCost) => number | null): number | null => {
    const [from, to] = [value(baseline), value(candidate)];
    return from === null || to === null ? null : blocks * (from + to);
  };
  return {
    hours: (both((cost) => cost.elapsedMs) ?? 0) / 3_600_000,
    totalTokens: both((cost) => cost.totalTokens),
    costUsd: both((cost) => cost.costUsd),
  };
}

/** A plan for a terminal, 80 columns. */
export function renderPlan(plan: CohortPlan): string {
  const { tasks, repetitions, order, worstCaseMs, schedule } = plan;
  const first = schedule.slice(0, shownBlocks).map(({ taskID, repetition, order: arms }, index) => {
    return `  ${index + 1}. ${plain(taskID)}, repetition ${repetition}: ${arms.map(plain).join(", then ")}`;
  });
  const rest = schedule.length - first.length;
  const lines = [
    `${counted(plan.blocks, "block")}, ${counted(plan.attempts, "attempt")}: ${counted(tasks, "task")} x ${counted(repetitions, "repetition")} x 2 arms; cohort ${plan.cohort.slice(0, 12)}`,
    `order: ${plain(plan.arms[0])} first in ${formatCount(order.baselineFirst)}, ${plain(plan.arms[1])} in ${formatCount(order.candidateFirst)}`,
    ...first,
    ...(rest > 0 ? [`  and ${counted(rest, "more block")}; --json has them all`] : []),
    `time: at most ${formatMilliseconds(worstCaseMs)}, if every attempt uses up its limits`,
    ...expectedLines(plan),
    "",
    `What it can detect: the smallest difference in success that is shown with a chance of ${plan.power * 100}%, in points`,
    designTable(plan),
    "n/a: no difference that can occur would be shown so.",
    ...marginLines(plan),
    ...(tasks < 6
      ? [`With ${counted(tasks, "task")} no difference can be shown at all: the test needs six tasks that differ.`]
      : []),
  ];
  const wrapped = lines.flatMap((line) => (/^ |\n/.test(line) ? [line] : wrap(line, 80)));
  return `${wrapped.join("\n")}\n`;
}

function expectedLines({ expected, pilot }: CohortPlan): string[] {
  if (expected === null || pilot === null) return [];
  const tokens =
    expected.totalTokens === null ? "tokens not stated" : `${formatCount(Math.round(expected.totalTokens))} tokens`;
  const cost = expected.costUsd === null ? "cost not stated" : `${expected.costUsd.toFixed(2)} US dollars`;
  const time = formatMilliseconds(expected.hours * 3_600_000);
  return [`expected, from ${counted(pilot.pairs, "pair")} of a pilot: ${time}, ${tokens}, ${cost}`];
}

function designTable({ designs }: CohortPlan): string {
  const table = new Table({
    head: ["if", "as planned", "twice the tasks", "twice the\nrepetitions"],
    colAligns: ["left", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, detectable } of designs) {
    table.push([name, ...[detectable.planned, detectable.twiceTheTasks, detectable.twiceTheRepetitions].map(pointsOf)]);
  }
  return table.toString();
}

function pointsOf(difference: number | null): string {
  return difference === null ? noValue : (difference * 100).toFixed(1);
}

function marginLines({ designs, margin, power }: CohortPlan): string[] {
  if (margin === null) return ["The manifest declares no margin, so that non-inferiority is not planned for."];
  return designs.map(({ name, nonInferiority, tasksForMargin }) => {
    const chance = nonInferiority === null ? noValue : `${Math.round(nonInferiority * 100)}%`;
    const needed = tasksForMargin === null ? "no number of tasks" : counted(tasksForMargin, "task");
    return `margin of ${pointsOf(margin)} points, ${name}: arms that are alike are shown non-inferior with a chance of ${chance}; ${needed} for ${power * 100}%`;
  });
}
