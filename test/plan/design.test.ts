import { describe, expect, test } from "vitest";
import { planBlocks } from "../../src/plan/blocks.ts";
import { assessDesign, plausibleSpreads } from "../../src/plan/design.ts";
import { countOrders, worstCaseMs } from "../../src/plan/schedule.ts";

const question = { tasks: 40, repetitions: 3, alpha: 0.05, power: 0.8, margin: 0.1 };
const quarter = plausibleSpreads[1]!;

describe("what a design detects", () => {
  test("follows (z of alpha/2 + z of power) · standard error, with many tasks", () => {
    const { detectable } = assessDesign({ ...question, tasks: 10_000 }, quarter);
    // 1.959964 + 0.841621, and the variance of a task's mean: 0.075 + 0.175 / 3.
    const expected = 2.801585 * Math.sqrt((0.075 + 0.175 / 3) / 10_000);
    expect(detectable.planned).toBeCloseTo(expected, 5);
    expect(detectable.twiceTheTasks).toBeCloseTo(expected / Math.SQRT2, 5);
    expect(detectable.twiceTheRepetitions).toBeCloseTo(2.801585 * Math.sqrt((0.075 + 0.175 / 6) / 10_000), 5);
  });

  test("twice the tasks buy more than twice the repetitions", () => {
    const { planned, twiceTheTasks, twiceTheRepetitions } = assessDesign(question, quarter).detectable;
    expect(twiceTheTasks!).toBeLessThan(twiceTheRepetitions!);
    expect(twiceTheRepetitions!).toBeLessThan(planned!);
  });

  test("is nothing with five tasks, and nothing that cannot occur", () => {
    expect(assessDesign({ ...question, tasks: 5 }, quarter).detectable.planned).toBeNull();
    const tenth = plausibleSpreads[0]!;
    expect(assessDesign({ ...question, tasks: 8 }, tenth).detectable.planned).toBeNull();
  });
});

test("the chance of non-inferiority grows to the power at the number of tasks that is named", () => {
  const { tasksForMargin, nonInferiority } = assessDesign(question, quarter);
  expect(nonInferiority).toBeLessThan(0.8);
  const at = (tasks: number) => assessDesign({ ...question, tasks }, quarter).nonInferiority!;
  expect(at(tasksForMargin!)).toBeGreaterThanOrEqual(0.8);
  expect(at(Math.floor(tasksForMargin! * 0.8))).toBeLessThan(0.8);
  expect(assessDesign({ ...question, margin: null }, quarter)).toMatchObject({
    nonInferiority: null,
    tasksForMargin: null,
  });
});

test("the longest time adds up every limit of both arms", () => {
  const tasks = [
    { timeoutMs: 1000, oracleTimeoutMs: 10, setup: 0 },
    { timeoutMs: 100, oracleTimeoutMs: 1, setup: 2 },
  ];
  // Three repetitions of both arms: 1020 ms, and 100 · 3 + 2 ms.
  expect(worstCaseMs(planBlocks(2, 3), tasks)).toBe(6 * 1020 + 6 * 302);
});

test("orders differ by one at most", () => {
  expect(countOrders(planBlocks(3, 3))).toEqual({ baselineFirst: 5, candidateFirst: 4 });
  expect(countOrders(planBlocks(2, 3))).toEqual({ baselineFirst: 3, candidateFirst: 3 });
});
