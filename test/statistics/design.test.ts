import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { advanceEProcess, eValue, eValueOf, startEProcess } from "../../src/statistics/e-process.ts";
import { seededGenerator, shuffled } from "../../src/statistics/generator.ts";
import { countPairs } from "../../src/statistics/paired-counts.ts";
import { detectableDifference, power, requiredTasks } from "../../src/statistics/power.ts";
import { drawCohort, isPossible, type Scenario } from "../../src/statistics/scenario.ts";
import { simulatedPower } from "../../src/statistics/simulated-power.ts";
import { successDifference } from "../../src/statistics/success-difference.ts";
import { varianceComponents } from "../../src/statistics/variance-components.ts";

const design = { betweenTasks: 0.02, withinTask: 0.3, repetitions: 3, alpha: 0.05 };

describe("power", () => {
  test("rises with tasks, repetitions and the difference; is alpha without a difference", () => {
    expect(power(design, 40, 0)).toBeCloseTo(0.05, 12);
    expect(power(design, 41, 0.1)).toBeGreaterThan(power(design, 40, 0.1)!);
    expect(power({ ...design, repetitions: 4 }, 40, 0.1)).toBeGreaterThan(power(design, 40, 0.1)!);
    expect(power(design, 40, 0.11)).toBeGreaterThan(power(design, 40, 0.1)!);
    expect(power(design, 40, -0.1)).toBe(power(design, 40, 0.1));
  });

  test("one task has none, without variance it is certain", () => {
    expect(power(design, 1, 0.5)).toBeNull();
    const still = { ...design, betweenTasks: 0, withinTask: 0 };
    expect(power(still, 2, 0.5)).toBe(1);
    expect(power(still, 2, 0)).toBe(0.05);
    expect(requiredTasks(still, 0.5, 0.8)).toEqual({ tasks: 2, power: 1 });
    expect(detectableDifference(still, 2, 0.8)).toBe(0);
  });

  test("the number of tasks is the smallest, and has no answer for no difference", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.02, max: 0.9, noNaN: true }),
        fc.constantFrom(0.5, 0.8, 0.95),
        (difference, wanted) => {
          const { tasks, power: reached } = requiredTasks(design, difference, wanted)!;
          expect(reached).toBeGreaterThanOrEqual(wanted);
          if (tasks > 2) expect(power(design, tasks - 1, difference)).toBeLessThan(wanted);
        },
      ),
      { numRuns: 40 },
    );
    expect(requiredTasks(design, 0, 0.8)).toBeNull();
    expect(requiredTasks(design, 1e-6, 0.8)).toBeNull();
  });

  test("the detectable difference is the one that reaches the power", () => {
    const difference = detectableDifference(design, 97, 0.8)!;
    expect(power(design, 97, difference)).toBeCloseTo(0.8, 9);
    // 97 tasks are what a difference of 0.1 needs, so slightly less is detected.
    expect(difference).toBeLessThan(0.1);
    expect(difference).toBeGreaterThan(0.099);
    expect(detectableDifference(design, 1, 0.8)).toBeNull();
  });
});

describe("variance components", () => {
  const task = (...differences: number[]) => ({
    baseline: differences.map((difference) => difference < 0),
    candidate: differences.map((difference) => difference > 0),
  });

  test("by hand: two tasks of two pairs", () => {
    // Differences 1, 1 and 0, -1: means 1 and -1/2, grand mean 1/4; within (0 + 1/2)/(4 - 2) = 1/4;
    // between 2 · (9/16 + 9/16)/1 = 9/4, less 1/4, over the size 2: 1
    expect(varianceComponents([task(1, 1), task(0, -1)])).toEqual({ betweenTasks: 1, withinTask: 0.25, total: 1.25 });
  });

  test("a negative estimate is 0; one pair a task cannot be told apart; one task has none", () => {
    expect(varianceComponents([task(1, -1), task(-1, 1)])).toMatchObject({ betweenTasks: 0, withinTask: 2 });
    expect(varianceComponents([task(1), task(0), task(-1)])).toEqual({
      betweenTasks: null,
      withinTask: null,
      total: 1,
    });
    expect(varianceComponents([task(1, 0), task()])).toEqual({ betweenTasks: null, withinTask: null, total: null });
  });

  test("finds those of a simulated population", () => {
    const cohort = drawCohort({ ...scenario, tasks: 4000, repetitions: 4 }, seededGenerator(5));
    const { betweenTasks, withinTask } = varianceComponents(cohort);
    // Half of the tasks move by 0.8 of the way from 1/2 on average, in either direction.
    expect(betweenTasks).toBeGreaterThan(0.05);
    expect(betweenTasks).toBeLessThan(0.12);
    expect(withinTask).toBeGreaterThan(0.2);
    expect(withinTask).toBeLessThan(0.45);
  });
});

const scenario: Scenario = {
  tasks: 20,
  repetitions: 3,
  baselineRate: 0.5,
  difference: 0,
  clustering: 0.3,
  strength: 0.8,
  heterogeneity: 0.5,
  pairing: 0.2,
};

describe("simulated cohorts", () => {
  test("their mean difference and baseline rate are the scenario's", () => {
    for (const difference of [-0.2, 0, 0.15]) {
      const counts = countPairs(drawCohort({ ...scenario, tasks: 20_000, difference }, seededGenerator(11)));
      expect(successDifference(counts, 0.95).estimate).toBeCloseTo(difference, 1);
      expect((counts.both + counts.baselineOnly) / counts.pairs).toBeCloseTo(0.5, 1);
    }
  });

  test("a scenario that needs more tasks changed than there are is not possible", () => {
    expect(isPossible(scenario)).toBe(true);
    expect(isPossible({ ...scenario, difference: 0.5 })).toBe(false);
  });

  test("the power formula agrees with the power of the reported interval", () => {
    const wide = { ...scenario, tasks: 60, difference: 0.12, heterogeneity: 0.2, clustering: 0.2 };
    const components = varianceComponents(drawCohort({ ...wide, tasks: 5000 }, seededGenerator(2)));
    const planned = power(
      { betweenTasks: components.betweenTasks!, withinTask: components.withinTask!, repetitions: 3, alpha: 0.05 },
      60,
      0.12,
    )!;
    const simulated = simulatedPower(
      (random) => countPairs(drawCohort(wide, random)),
      (counts) => successDifference(counts, 0.95).interval!.lower > 0,
      seededGenerator(8),
      600,
    );
    expect(simulated.runs).toBe(600);
    expect(planned).toBeGreaterThan(0.4);
    expect(Math.abs(simulated.power - planned)).toBeLessThan(0.1);
    expect(simulated.interval.lower).toBeLessThan(simulated.power);
  });
});

describe("e-process", () => {
  test("one task alone says nothing: every bet has its opposite", () => {
    for (const sum of [-5, 1, 900]) expect(eValue([sum]).eValue).toBeCloseTo(1, 12);
    expect(eValue([]).eValue).toBe(1);
  });

  test("by hand: twice the same sum s is 1 + mean tanh²(λs)", () => {
    const squares = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6].map((size) => Math.tanh(size * 2) ** 2);
    expect(eValue([2, 2]).eValue).toBeCloseTo(1 + squares.reduce((sum, square) => sum + square, 0) / 6, 12);
    expect(eValue([2, -2]).eValue).toBeCloseTo(1 - squares.reduce((sum, square) => sum + square, 0) / 6, 12);
  });

  test("the mean over all signs is 1, whatever the sizes", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 }), (sizes) => {
        let total = 0;
        for (let signs = 0; signs < 2 ** sizes.length; signs += 1) {
          total += eValue(sizes.map((size, index) => (signs & (1 << index) ? size : -size))).eValue;
        }
        expect(total / 2 ** sizes.length).toBeCloseTo(1, 10);
      }),
    );
  });

  test("the order of the tasks and the sign of all sums do not matter to the last value", () => {
    const sums = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 20 });
    fc.assert(
      fc.property(sums, (values) => {
        expect(eValue(values.toReversed()).eValue / eValue(values).eValue).toBeCloseTo(1, 10);
        expect(eValue(values.map((value) => -value)).eValue / eValue(values).eValue).toBeCloseTo(1, 10);
      }),
    );
  });

  test("10,000 tasks that agree stay a number", () => {
    const { eValue: value, isBound } = eValue(new Array<number>(10_000).fill(1000));
    expect([value, isBound]).toEqual([1e300, true]);
    expect(eValue(Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? 9 : -9)))).toMatchObject({
      isBound: false,
    });
  });

  test("looking after every task stops falsely in at most 5% of cohorts without a difference", () => {
    const random = seededGenerator(21);
    let stopped = 0;
    const cohorts = 1000;
    for (let cohort = 0; cohort < cohorts; cohort += 1) {
      let capital = startEProcess();
      for (const sum of countPairs(drawCohort({ ...scenario, tasks: 60, heterogeneity: 0 }, random)).sums) {
        capital = advanceEProcess(capital, sum);
        if (eValueOf(capital).eValue >= 20) {
          stopped += 1;
          break;
        }
      }
    }
    // Three standard errors above 0.05 is 0.071; the truth is nearer 0.03.
    expect(stopped / cohorts).toBeLessThanOrEqual(0.05);
  });
});

describe("generator", () => {
  test("the same seed draws the same numbers, another seed others, all in [0, 1)", () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededGenerator(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const random = seededGenerator(0);
    let [sum, squares, smallest, largest] = [0, 0, 1, 0];
    for (let index = 0; index < 20_000; index += 1) {
      const value = random();
      smallest = Math.min(smallest, value);
      largest = Math.max(largest, value);
      sum += value;
      squares += value * value;
    }
    expect(smallest).toBeGreaterThanOrEqual(0);
    expect(largest).toBeLessThan(1);
    expect(sum / 20_000).toBeCloseTo(1 / 2, 1);
    expect(squares / 20_000).toBeCloseTo(1 / 3, 1);
  });

  test("shuffling keeps the elements and reaches every order", () => {
    const random = seededGenerator(4);
    const orders = new Map<string, number>();
    for (let draw = 0; draw < 6000; draw += 1) {
      const order = shuffled(["a", "b", "c"], random).join("");
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect([...orders.keys()].sort()).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
