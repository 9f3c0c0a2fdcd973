import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binomialCdf } from "../../src/statistics/binomial.ts";
import { holm } from "../../src/statistics/holm.ts";
import { orderEffect } from "../../src/statistics/order-effect.ts";
import { nearestRankQuantile, quantileInterval } from "../../src/statistics/order-statistic.ts";
import { averagePassAtK, passAtK, passHatK } from "../../src/statistics/pass-at-k.ts";

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

describe("interval of a quantile", () => {
  test.each([
    [0.5, 6],
    [0.95, 72],
  ])("both limits of quantile %s need %s values", (p, count) => {
    expect(quantileInterval(upTo(count), p, 0.95)).toMatchObject({ reason: null });
    const { interval, reason } = quantileInterval(upTo(count - 1), p, 0.95);
    expect(interval?.upper ?? null).toBeNull();
    expect(reason!.needed).toEqual({ unit: "samples", count });
  });

  test("P95 of 20 values has a lower limit only, and says so", () => {
    const { interval, reason } = quantileInterval(upTo(20), 0.95, 0.95);
    expect(interval).toMatchObject({ lower: 17, upper: null, upperRank: null });
    expect(reason!.code).toBe("unbounded");
  });

  test("a low quantile has an upper limit only", () => {
    const { interval, reason } = quantileInterval(upTo(20), 0.05, 0.95);
    expect(interval).toMatchObject({ lower: null, upper: 4 });
    expect(reason!.code).toBe("unbounded");
  });

  test("nothing, one value, all alike", () => {
    expect(quantileInterval([], 0.5, 0.95)).toMatchObject({ interval: null, reason: { code: "too-few-samples" } });
    expect(quantileInterval([3], 0.95, 0.95)).toMatchObject({ interval: null, reason: { code: "too-few-samples" } });
    expect(quantileInterval(new Array<number>(100).fill(3), 0.5, 0.95)).toMatchObject({
      interval: null,
      reason: { code: "all-tied" },
    });
  });

  test.each([0, 1])("quantile %s is refused", (p) => {
    expect(() => quantileInterval([1], p, 0.95)).toThrow(RangeError);
  });

  test("covers at least at the level, and one rank less on either side would not hold its tail", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.constantFrom(0.1, 0.5, 0.9, 0.95), (n, p) => {
        const { interval } = quantileInterval(upTo(n), p, 0.95);
        if (interval === null) return;
        expect(interval.coverage).toBeGreaterThanOrEqual(0.95);
        const { lowerRank, upperRank } = interval;
        if (lowerRank !== null) expect(binomialCdf(lowerRank, n, p)).toBeGreaterThan(0.025);
        if (upperRank !== null) expect(1 - binomialCdf(upperRank - 2, n, p)).toBeGreaterThan(0.025);
      }),
    );
  });
});

describe("nearest-rank quantile", () => {
  test("P95 of 20 is the 19th, of 21 the 20th, of nothing null", () => {
    expect(nearestRankQuantile(upTo(20), 0.95)).toBe(19);
    expect(nearestRankQuantile(upTo(21), 0.95)).toBe(20);
    expect(nearestRankQuantile([], 0.95)).toBeNull();
  });

  test("is not thrown off by the rounding of p times n", () => {
    for (let n = 20; n <= 2000; n += 20) expect(nearestRankQuantile(upTo(n), 0.95)).toBe((n / 20) * 19);
  });
});

describe("order effect", () => {
  const pair = (baselineFirst: boolean, difference: number) => ({ baselineFirst, difference });

  test("by hand: the second place helps by 1/2", () => {
    // Baseline first: candidate second, differences 1, 1, 0, 1 (mean 3/4); candidate first: 0, 0, -1, 0 (mean -1/4).
    // Effect (3/4 + 1/4)/2 = 1/2. Influences: tasks 1, 2, 4: (1/4)/8 - (1/4)/8... the first and second mean's parts are
    // (d - 3/4)/4/2 and (-1/4 - d)/4/2: 1/32 - 1/32 = 0 for tasks 1, 2 and 4; task 3: -3/32 + 3/32 = 0.
    const alike = [1, 1, 0, 1].map((d) => [pair(true, d), pair(false, d - 1)]);
    expect(orderEffect(alike, 0.95)).toMatchObject({
      effect: 0.5,
      isBalanced: true,
      interval: null,
      reason: { code: "all-tied" },
    });
  });

  test("by hand: an interval", () => {
    // Tasks 1 and 2 run baseline first with differences 1 and 0, tasks 3 and 4 candidate first with 0 and 0: means 1/2 and 0.
    // Effect 1/4; influences ±(1/2)/2/2 = ±1/8, 0, 0; variance 4/3 · 2/64 = 1/24; t(3) = 3.182446: half width 0.649614
    const { effect, interval } = orderEffect(
      [[pair(true, 1)], [pair(true, 0)], [pair(false, 0)], [pair(false, 0)]],
      0.95,
    );
    expect(effect).toBe(0.25);
    expect(interval!.lower).toBeCloseTo(0.25 - 0.649614, 6);
    expect(interval!.upper).toBeCloseTo(0.25 + 0.649614, 6);
  });

  test("not estimable: nothing, one order, one task", () => {
    expect(orderEffect([], 0.95)).toMatchObject({ effect: null, interval: null, reason: { code: "no-pairs" } });
    expect(orderEffect([[pair(true, 1)], [pair(true, 0)]], 0.95)).toMatchObject({
      effect: null,
      isBalanced: false,
      reason: { code: "one-order" },
    });
    expect(orderEffect([[pair(true, 1), pair(false, 0)]], 0.95)).toMatchObject({
      effect: 0.5,
      interval: null,
      reason: { code: "one-task" },
    });
  });

  test("swapping the arms leaves it: it belongs to the place, not to the arm", () => {
    const difference = fc.integer({ min: -1, max: 1 });
    const tasks = fc.array(fc.array(fc.record({ baselineFirst: fc.boolean(), difference }), { maxLength: 4 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(tasks, (original) => {
        // What ran first as the baseline now runs first as the candidate.
        const swapped = original.map((pairs) => pairs.map((one) => pair(!one.baselineFirst, -one.difference)));
        const [there, back] = [orderEffect(original, 0.95), orderEffect(swapped, 0.95)];
        if (there.effect === null) expect(back.effect).toBeNull();
        else expect(back.effect).toBeCloseTo(there.effect, 12);
        expect(back.interval === null).toBe(there.interval === null);
      }),
    );
  });
});

describe("Holm", () => {
  test("by hand: 0.01, 0.04, 0.03", () => {
    // 3 · 0.01, then 2 · 0.03, then max(0.06, 1 · 0.04)
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
  });

  test("a missing test neither counts nor gets a value", () => {
    expect(holm([null, 0.02, null])).toEqual([null, 0.02, null]);
    expect(holm([])).toEqual([]);
  });

  test("never smaller than the p-value, never above 1, in the same order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 }), (pValues) => {
        const adjusted = holm(pValues) as number[];
        adjusted.forEach((value, index) => {
          expect(value).toBeGreaterThanOrEqual(pValues[index]!);
          expect(value).toBeLessThanOrEqual(1);
          adjusted.forEach((other, place) => {
            if (pValues[index]! < pValues[place]!) expect(value).toBeLessThanOrEqual(other);
          });
        });
      }),
    );
  });
});

describe("pass@k and pass^k", () => {
  test("by hand: 2 of 4 pass, two are drawn", () => {
    // C(2,2)/C(4,2) = 1/6 in both: none passes, all pass
    expect(passAtK(4, 2, 2)).toBeCloseTo(5 / 6, 15);
    expect(passHatK(4, 2, 2)).toBeCloseTo(1 / 6, 15);
  });

  test("averages over tasks, not attempts, and refuses a k beyond the shortest task", () => {
    const outcomes = [[true, true, true], [false, false], []];
    expect(averagePassAtK(outcomes, 2)).toEqual({ passAtK: 0.5, passHatK: 0.5, reason: null });
    expect(averagePassAtK(outcomes, 3)).toMatchObject({
      passAtK: null,
      reason: { code: "too-few-repetitions", needed: { count: 3 } },
    });
    expect(averagePassAtK([], 1)).toMatchObject({ passHatK: null, reason: { code: "no-pairs" } });
  });

  test("rises with k, falls with k, mirror each other", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 50 }), fc.nat(50), fc.integer({ min: 1, max: 49 }), (n, passes, draw) => {
        const c = Math.min(n, passes);
        const k = Math.min(n - 1, draw);
        expect(passAtK(n, c, k + 1)).toBeGreaterThanOrEqual(passAtK(n, c, k));
        expect(passHatK(n, c, k + 1)).toBeLessThanOrEqual(passHatK(n, c, k));
        expect(passAtK(n, c, k)).toBeCloseTo(1 - passHatK(n, n - c, k), 12);
      }),
    );
  });

  test.each([
    [3, 1, 0],
    [3, 1, 4],
    [3, 4, 1],
    [3, -1, 1],
  ])("n = %s, c = %s, k = %s is refused", (n, c, k) => {
    expect(() => passAtK(n, c, k)).toThrow(RangeError);
    expect(() => passHatK(n, c, k)).toThrow(RangeError);
  });
});
