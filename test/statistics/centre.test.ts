import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededGenerator } from "../../src/statistics/generator.ts";
import { hodgesLehmann } from "../../src/statistics/hodges-lehmann.ts";
import { latencyRatio, logRatios } from "../../src/statistics/latency-ratio.ts";
import { walshAverage } from "../../src/statistics/walsh.ts";

function allAverages(values: readonly number[]): number[] {
  return values
    .flatMap((first, i) => values.slice(i).map((second) => (first + second) / 2))
    .sort((left, right) => left - right);
}

const ascending = (values: readonly number[]) => values.toSorted((left, right) => left - right);
const real = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0);
const small = fc.integer({ min: -4, max: 4 });

describe("Walsh averages", () => {
  test.each([
    ["reals", real],
    ["many ties and zeros", small],
  ])("every rank is that of the sorted list of all averages: %s", (_, value) => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
        const averages = allAverages(values);
        averages.forEach((average, index) =>
          expect(walshAverage(ascending(values), index + 1)).toBeCloseTo(average, 9),
        );
      }),
    );
  });

  test("ranks outside the list are refused", () => {
    expect(() => walshAverage([1, 2], 0)).toThrow(RangeError);
    expect(() => walshAverage([1, 2], 4)).toThrow(RangeError);
  });
});

describe("Hodges-Lehmann centre", () => {
  test("by hand: 1, 2, 6", () => {
    // Averages 1, 1.5, 2, 3.5, 4, 6: the median is (2 + 3.5)/2
    expect(hodgesLehmann([6, 1, 2], 0.95)).toMatchObject({
      estimate: 2.75,
      interval: null,
      reason: { code: "too-few-tasks" },
    });
  });

  test("six tasks: the limits are the smallest and the largest", () => {
    // 2^-6 = 0.0156 <= 0.025 < 2 · 2^-6, so only the outermost averages are left out of reach
    const result = hodgesLehmann([0.1, 0.2, 0.4, 0.8, 1.6, -1], 0.95);
    expect(result.interval).toEqual({ method: "hodges-lehmann", level: 0.95, lower: -1, upper: 1.6 });
  });

  test.each([
    [0.9, 5],
    [0.95, 6],
    [0.99, 8],
  ])("level %s needs %s tasks", (level, count) => {
    const values = Array.from({ length: count }, (_, index) => index);
    expect(hodgesLehmann(values, level).interval).not.toBeNull();
    expect(hodgesLehmann(values.slice(1), level).reason).toMatchObject({
      code: "too-few-tasks",
      needed: { unit: "tasks", count },
    });
  });

  test("no value, one value, all alike", () => {
    expect(hodgesLehmann([], 0.95)).toMatchObject({ estimate: null, interval: null, reason: { code: "no-pairs" } });
    expect(hodgesLehmann([3], 0.95)).toMatchObject({ estimate: 3, interval: null, reason: { code: "too-few-tasks" } });
    expect(hodgesLehmann(new Array<number>(9).fill(3), 0.95)).toMatchObject({
      estimate: 3,
      interval: null,
      reason: { code: "all-tied" },
    });
  });

  test("10,000 tasks without their 50 million averages", () => {
    const random = seededGenerator(3);
    const values = Array.from({ length: 10_000 }, () => random() + random() + 5);
    const { estimate, interval } = hodgesLehmann(values, 0.95);
    expect(interval!.method).toBe("hodges-lehmann-approximate");
    // Triangular on [5, 7]: standard deviation 0.408, so the centre is known to about ± 0.008
    expect(Math.abs(estimate! - 6)).toBeLessThan(0.02);
    expect(interval!.upper - interval!.lower).toBeGreaterThan(0.014);
    expect(interval!.upper - interval!.lower).toBeLessThan(0.018);
  });

  test("moves with the values, turns with their sign, holds its estimate", () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, fc.integer({ min: -50, max: 50 }), (original, shift) => {
        const there = hodgesLehmann(original, 0.95);
        const moved = hodgesLehmann(
          original.map((value) => shift - value),
          0.95,
        );
        expect(moved.estimate).toBeCloseTo(shift - there.estimate!, 9);
        expect(there.interval === null).toBe(there.reason !== null);
        if (there.interval === null) return;
        expect(moved.interval!.lower).toBeCloseTo(shift - there.interval.upper, 9);
        expect(there.interval.lower).toBeLessThanOrEqual(there.estimate!);
        expect(there.interval.upper).toBeGreaterThanOrEqual(there.estimate!);
        expect(there.interval.upper).toBeGreaterThan(there.interval.lower);
      }),
    );
  });
});

describe("latency ratio", () => {
  test("only pairs that both arms verified have a ratio; a latency of 0 has none", () => {
    const ratios = logRatios([
      { baseline: [100, null, 0, 100], candidate: [200, 50, 50, 800] },
      { baseline: [null, 5], candidate: [5, null] },
      { baseline: [100], candidate: [0] },
    ]);
    // Task 1: mean(log 2, log 8) = log 4
    expect(ratios.taskMeans).toHaveLength(1);
    expect(ratios.taskMeans[0]).toBeCloseTo(Math.log(4), 14);
    expect(ratios).toMatchObject({ pairs: 2, totalPairs: 7, zeroPairs: 2 });
  });

  test("no pair verified", () => {
    const { taskMeans } = logRatios([{ baseline: [null], candidate: [3] }]);
    expect(latencyRatio(taskMeans, 0.95)).toMatchObject({
      estimate: null,
      interval: null,
      reason: { code: "no-pairs" },
    });
  });

  test("arms of different length are refused", () => {
    expect(() => logRatios([{ baseline: [1], candidate: [] }])).toThrow(RangeError);
  });

  test("swapping the arms inverts the ratio and its limits", () => {
    const pair = fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 6, maxLength: 20 }), (pairs) => {
        const there = pairs.map(([left, right]) => ({ baseline: [left], candidate: [right] }));
        const back = pairs.map(([left, right]) => ({ baseline: [right], candidate: [left] }));
        const [ratio, inverse] = [there, back].map((tasks) => latencyRatio(logRatios(tasks).taskMeans, 0.95));
        expect(ratio!.estimate! * inverse!.estimate!).toBeCloseTo(1, 9);
        if (ratio!.interval === null) return;
        expect(ratio!.interval.lower * inverse!.interval!.upper).toBeCloseTo(1, 9);
      }),
    );
  });
});
