import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clusterVariance, designEffect } from "../../src/statistics/design-effect.ts";
import { countPairs, type BinaryTask } from "../../src/statistics/paired-counts.ts";
import { successDifference } from "../../src/statistics/success-difference.ts";
import { tangoInterval } from "../../src/statistics/tango.ts";
import { successRate, wilsonInterval } from "../../src/statistics/wilson.ts";

/** A task from words of 1 and 0, baseline first. */
function task(baseline: string, candidate: string): BinaryTask {
  return { baseline: [...baseline].map((c) => c === "1"), candidate: [...candidate].map((c) => c === "1") };
}

const swap = (tasks: readonly BinaryTask[]) =>
  tasks.map(({ baseline, candidate }) => ({ baseline: candidate, candidate: baseline }));
const difference = (tasks: readonly BinaryTask[], level = 0.95) => successDifference(countPairs(tasks), level);

const anyTask = fc
  .array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 0, maxLength: 6 })
  .map((pairs) => ({ baseline: pairs.map(([passed]) => passed), candidate: pairs.map(([, passed]) => passed) }));
const anyTasks = fc.array(anyTask, { maxLength: 12 });

describe("counts", () => {
  test("a task without a pair does not count as a task", () => {
    const counts = countPairs([task("10", "11"), task("", ""), task("0", "0")]);
    expect(counts).toEqual({
      tasks: 2,
      pairs: 3,
      both: 1,
      candidateOnly: 1,
      baselineOnly: 0,
      neither: 1,
      sizes: [2, 1],
      sums: [1, 0],
    });
  });

  test("arms of different length are refused: they cannot be pairs", () => {
    expect(() => countPairs([task("10", "1")])).toThrow(RangeError);
  });
});

describe("by hand", () => {
  test("Wilson's limits without a success: 0 and z²/(n + z²)", () => {
    // n = 10: 3.841458821/13.841458821 = 0.277532800
    const interval = wilsonInterval(0, 10, 0.95, "wilson");
    expect(interval.lower).toBe(0);
    expect(interval.upper).toBeCloseTo(0.2775328, 7);
    expect(wilsonInterval(10, 10, 0.95, "wilson").upper).toBe(1);
  });

  test("Tango's limits without a discordant pair: ± z²/(n + z²)", () => {
    const interval = tangoInterval(0, 0, 10, 0.95, "tango");
    expect(interval.upper).toBeCloseTo(0.2775328, 7);
    expect(interval.lower).toBe(-interval.upper);
  });

  test("the cluster variance of two tasks of two pairs", () => {
    // S = 2, 0; n = 4, d = 1/2: residuals 2 - 1 = 1 and 0 - 1 = -1; T/(T-1) = 2; 2 · 2 / 16 = 1/4
    expect(clusterVariance([2, 0], [2, 2], 0.5)).toBe(0.25);
    // Independent pairs: b = 2, c = 0: (2 - 4/4)/16 = 1/16; the ratio 4 is held at the cap (4 + 4)/4 = 2
    expect(designEffect(0.25, 1 / 16, [2, 2])).toBe(2);
    expect(designEffect(0.01, 1 / 16, [2, 2])).toBe(1);
    expect(designEffect(0, 0, [1, 2, 3])).toBe(14 / 6);
  });

  test("tasks that repeat themselves are worth one pair each", () => {
    const repeated = difference([task("000", "111"), task("111", "111"), task("000", "000"), task("111", "000")]);
    const single = difference([task("0", "1"), task("1", "1"), task("0", "0"), task("1", "0")]);
    expect(repeated.designEffect).toBe(3);
    // The repeated interval also holds the t interval: 0 ± 3.182446 · sqrt(4/3 · (9 + 9)/144) = ± 1.299
    expect(repeated.interval).toMatchObject({ method: "tango-cluster", lower: -1, upper: 1 });
    expect(single.interval!.upper).toBeLessThan(1);
  });
});

describe("degenerate cohorts", () => {
  test("no pair", () => {
    for (const tasks of [[], [task("", "")]]) {
      expect(difference(tasks)).toMatchObject({ estimate: null, interval: null, reason: { code: "no-pairs" } });
      expect(
        successRate(
          tasks.map((one) => one.baseline),
          0.95,
        ),
      ).toMatchObject({ rate: null, interval: null, reason: { code: "no-pairs" } });
    }
  });

  test("one task: no interval of the difference; the rate's is labelled as within the task", () => {
    const result = difference([task("0101", "1111")]);
    expect(result).toMatchObject({ estimate: 0.5, standardError: null, interval: null });
    expect(result.reason).toMatchObject({ code: "one-task", needed: { unit: "tasks", count: 2 } });
    expect(successRate([[true, false, true, true]], 0.95).interval!.method).toBe("wilson-within-task");
  });

  test.each([
    ["all pass", [task("111", "111"), task("11", "11")]],
    ["none pass", [task("0", "0"), task("000", "000")]],
    ["no discordance", [task("10", "10"), task("01", "01"), task("1", "1")]],
    ["the candidate always, the baseline never", [task("00", "11"), task("0", "1")]],
    ["the baseline always, the candidate never", [task("11", "00"), task("1", "0")]],
    ["one repetition", [task("1", "0"), task("1", "1")]],
    ["unequal repetitions", [task("1", "0"), task("1111111", "1111111"), task("00", "01")]],
  ])("%s", (_, tasks) => {
    for (const level of [0.9, 0.95, 0.999]) {
      const result = difference(tasks, level);
      expect(result.interval!.lower).toBeGreaterThanOrEqual(-1);
      expect(result.interval!.upper).toBeLessThanOrEqual(1);
      expect(result.interval!.upper - result.interval!.lower).toBeGreaterThan(0.1);
      expect(result.standardError).not.toBeNaN();
    }
  });

  test.each([0, 1, Number.NaN])("level %s is refused", (level) => {
    expect(() => difference([task("1", "0"), task("1", "1")], level)).toThrow(RangeError);
    expect(() => successRate([[true]], level)).toThrow(RangeError);
  });
});

describe("properties", () => {
  test("an interval or a reason, never both; it holds the estimate and has a width", () => {
    fc.assert(
      fc.property(anyTasks, (tasks) => {
        for (const result of [
          difference(tasks),
          successRate(
            tasks.map((one) => one.candidate),
            0.95,
          ),
        ]) {
          expect(result.interval === null).toBe(result.reason !== null);
          if (result.interval === null) continue;
          const estimate = "rate" in result ? result.rate! : result.estimate!;
          expect(result.interval.lower).toBeLessThanOrEqual(estimate);
          expect(result.interval.upper).toBeGreaterThanOrEqual(estimate);
          expect(result.interval.upper - result.interval.lower).toBeGreaterThan(0.01);
          expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity/);
        }
      }),
    );
  });

  test("swapping the arms negates the difference and its limits", () => {
    fc.assert(
      fc.property(anyTasks, (tasks) => {
        const there = difference(tasks);
        const back = difference(swap(tasks));
        if (there.estimate === null) return;
        expect(back.estimate! + there.estimate).toBe(0);
        if (there.interval === null) return;
        expect(back.interval!.lower).toBeCloseTo(-there.interval.upper, 12);
        expect(back.interval!.upper).toBeCloseTo(-there.interval.lower, 12);
      }),
    );
  });

  test("neither the order of tasks nor that of repetitions matters", () => {
    fc.assert(
      fc.property(anyTasks, (tasks) => {
        const reversed = tasks
          .map(({ baseline, candidate }) => ({
            baseline: [...baseline].reverse(),
            candidate: [...candidate].reverse(),
          }))
          .reverse();
        const [there, back] = [difference(tasks), difference(reversed)];
        expect(back.estimate).toEqual(there.estimate);
        if (there.interval === null) return;
        expect(back.interval!.lower).toBeCloseTo(there.interval.lower, 12);
        expect(back.interval!.upper).toBeCloseTo(there.interval.upper, 12);
      }),
    );
  });

  test("a higher level contains a lower one", () => {
    fc.assert(
      fc.property(anyTasks, (tasks) => {
        const [narrow, wide] = [difference(tasks, 0.9).interval, difference(tasks, 0.99).interval];
        if (narrow === null || wide === null) return;
        expect(wide.lower).toBeLessThanOrEqual(narrow.lower);
        expect(wide.upper).toBeGreaterThanOrEqual(narrow.upper);
      }),
    );
  });

  test("with one repetition it is Tango's interval, and the design effect is 1", () => {
    const single = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(single, (pairs) => {
        const tasks = pairs.map(([baseline, candidate]) => ({ baseline: [baseline], candidate: [candidate] }));
        const { candidateOnly, baselineOnly, pairs: n } = countPairs(tasks);
        const result = difference(tasks);
        expect(result.designEffect).toBe(1);
        expect(result.interval).toEqual(tangoInterval(candidateOnly, baselineOnly, n, 0.95, "tango"));
      }),
    );
  });

  test("more candidate-only pairs raise both of Tango's limits", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        (b, c, rest) => {
          const n = b + c + rest;
          const fewer = tangoInterval(b, c, n, 0.95, "tango");
          const more = tangoInterval(b + 1, c, n, 0.95, "tango");
          expect(more.lower).toBeGreaterThan(fewer.lower);
          expect(more.upper).toBeGreaterThan(fewer.upper);
        },
      ),
    );
  });
});
