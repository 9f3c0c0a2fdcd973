import { expect, test } from "vitest";
import { advanceEProcess, eValueOf, startEProcess } from "../../src/statistics/e-process.ts";
import { seededGenerator } from "../../src/statistics/generator.ts";
import { countPairs } from "../../src/statistics/paired-counts.ts";
import { drawCohort, type Scenario } from "../../src/statistics/scenario.ts";
import { simulatedPower } from "../../src/statistics/simulated-power.ts";

const alpha = 0.05;
const alike: Scenario = {
  tasks: 60,
  repetitions: 3,
  baselineRate: 0.5,
  difference: 0,
  clustering: 0.3,
  strength: 0.5,
  heterogeneity: 0,
  pairing: 0.2,
};

/** Looks after every task, as a cohort that runs until it is decided does. */
function stopsAfter(scenario: Scenario, random: () => number): number | null {
  let process = startEProcess();
  const { sums } = countPairs(drawCohort(scenario, random));
  for (const [index, sum] of sums.entries()) {
    process = advanceEProcess(process, sum);
    if (eValueOf(process).eValue * alpha >= 1) return index + 1;
  }
  return null;
}

test.each([
  ["three repetitions", {}],
  ["one repetition", { repetitions: 1 }],
  ["ten repetitions of tasks that hardly vary", { repetitions: 10, clustering: 0.9 }],
  ["a rate near 1", { baselineRate: 0.9 }],
  ["a rate near 0", { baselineRate: 0.1, tasks: 120 }],
])("arms that are alike stop falsely in at most 5 of 100 cohorts, looked at after every task: %s", (_, changes) => {
  const scenario = { ...alike, ...changes };
  const { power, interval } = simulatedPower(
    (random) => stopsAfter(scenario, random),
    (stopped) => stopped !== null,
    seededGenerator(20),
    4000,
  );
  expect(power).toBeGreaterThan(0);
  // The true rate is below 5%; 4,000 cohorts would show 5.7% or more by bad luck in 2 of 100 tests at most.
  expect(power).toBeLessThanOrEqual(alpha);
  expect(interval.upper).toBeLessThan(0.06);
});

test("arms that differ stop, and early", () => {
  const random = seededGenerator(21);
  const stops = Array.from({ length: 400 }, () => stopsAfter({ ...alike, difference: 0.3, strength: 1 }, random));
  const stopped = stops.filter((tasks) => tasks !== null);
  expect(stopped.length / stops.length).toBeGreaterThan(0.8);
  expect(stopped.reduce((sum, tasks) => sum + tasks, 0) / stopped.length).toBeLessThan(40);
});
