import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededGenerator } from "../../src/statistics/generator.ts";
import { mcnemarTest } from "../../src/statistics/mcnemar.ts";
import { boundPValue, neededInformativeTasks } from "../../src/statistics/p-value.ts";
import { signFlipTest } from "../../src/statistics/sign-flip.ts";
import {
  signedRankCdf,
  signedRankLimit,
  signedRankQuantile,
  signedRankStatistic,
  signedRankTest,
} from "../../src/statistics/signed-rank.ts";
import { signedSumTail, subsetSumWork, workBound } from "../../src/statistics/signed-sum.ts";

/** P(|X| >= |observed|) and the mid-p by running through every vector of signs. */
function enumerate(weights: readonly number[], observed: number): { twoSided: number; mid: number } {
  const vectors = 2 ** weights.length;
  let beyond = 0;
  let at = 0;
  for (let signs = 0; signs < vectors; signs += 1) {
    const sum = Math.abs(
      weights.reduce((total, weight, index) => total + (signs & (1 << index) ? weight : -weight), 0),
    );
    if (sum > Math.abs(observed)) beyond += 1;
    if (sum === Math.abs(observed)) at += 1;
  }
  return { twoSided: (beyond + at) / vectors, mid: (beyond + at / 2) / vectors };
}

const sums = fc.array(fc.integer({ min: -7, max: 7 }), { minLength: 1, maxLength: 10 });

describe("sign-flip test", () => {
  test("by hand: S = 2, 1, -1", () => {
    // ±2±1±1 takes 4, 2, 2, 0, 0, -2, -2, -4; |sum| >= 2 in 6 of 8
    expect(signFlipTest([2, 1, -1], 0.05)).toMatchObject({
      method: "sign-flip-exact",
      pValue: 0.75,
      midPValue: 0.5,
      informativeTasks: 3,
    });
  });

  test("is what running through all signs gives", () => {
    fc.assert(
      fc.property(sums, (values) => {
        const weights = values.filter((value) => value !== 0).map(Math.abs);
        const observed = values.reduce((total, value) => total + value, 0);
        const expected = enumerate(weights, observed);
        const result = signFlipTest(values, 0.05);
        expect(result.pValue).toBeCloseTo(expected.twoSided, 14);
        expect(result.midPValue).toBeCloseTo(expected.mid, 14);
      }),
    );
  });

  test("equals McNemar's exact test with one pair a task", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), fc.nat(5), (b, c, ties) => {
        const values = [
          ...new Array<number>(b).fill(1),
          ...new Array<number>(c).fill(-1),
          ...new Array<number>(ties).fill(0),
        ];
        if (values.length === 0) return;
        const flip = signFlipTest(values, 0.05);
        const mcnemar = mcnemarTest(b, c, 0.05);
        expect(flip.pValue! / mcnemar.pValue!).toBeCloseTo(1, 12);
        // At equal counts the two conventions of the mid-p differ: half the probability of b = c, or none, is taken off.
        if (b !== c) expect(flip.midPValue! / mcnemar.midPValue!).toBeCloseTo(1, 12);
      }),
    );
  });

  test("does not change with the arms swapped, nor with all sums doubled", () => {
    fc.assert(
      fc.property(sums, (values) => {
        const result = signFlipTest(values, 0.05);
        expect(
          signFlipTest(
            values.map((value) => -value),
            0.05,
          ),
        ).toEqual(result);
        expect(
          signFlipTest(
            values.map((value) => 2 * value),
            0.05,
          ),
        ).toEqual(result);
      }),
    );
  });

  test("one more task in the same direction never makes it less significant than its sign alone would", () => {
    for (let tasks = 1; tasks < 30; tasks += 1) {
      // All alike: p = 2 · 2^-tasks
      expect(signFlipTest(new Array<number>(tasks).fill(3), 0.05).pValue).toBe(2 ** (1 - tasks));
    }
  });

  test("says when too few tasks differ", () => {
    const few = signFlipTest([3, 3, 3, 3, 3, 0, 0, 0], 0.05);
    expect(few).toMatchObject({ pValue: 0.0625, informativeTasks: 5 });
    expect(few.reason).toMatchObject({
      code: "too-few-tasks-that-differ",
      needed: { unit: "tasks-that-differ", count: 6 },
    });
    expect(signFlipTest([3, 3, 3, 3, 3, 3], 0.05).reason).toBeNull();
    expect(signFlipTest([0, 0], 0.05)).toMatchObject({
      pValue: 1,
      informativeTasks: 0,
      reason: { code: "too-few-tasks-that-differ" },
    });
    expect(signFlipTest([], 0.05)).toMatchObject({ pValue: null, reason: { code: "no-pairs" } });
  });

  test.each([
    [0.05, 6],
    [0.1, 5],
    [0.0625, 5],
    [0.01, 8],
  ])("at alpha %s at least %s tasks must differ", (alpha, count) => {
    expect(neededInformativeTasks(alpha)).toBe(count);
    expect(2 ** (1 - count)).toBeLessThanOrEqual(alpha);
    expect(2 ** (2 - count)).toBeGreaterThan(alpha);
  });
});

describe("p-values are never 0", () => {
  test("2,000 tasks that all agree: 2^-1999 is below the smallest number", () => {
    expect(signFlipTest(new Array<number>(2000).fill(5), 0.05)).toMatchObject({ pValue: 1e-300, isBound: true });
    expect(mcnemarTest(2000, 0, 0.05)).toMatchObject({ pValue: 1e-300, isBound: true });
    expect(
      signedRankTest(
        Array.from({ length: 2000 }, (_, index) => index + 1),
        0.05,
      ),
    ).toMatchObject({ pValue: 1e-300, isBound: true });
  });

  test("900 of them: exact still", () => {
    expect(signFlipTest(new Array<number>(900).fill(5), 0.05)).toMatchObject({ pValue: 2 ** -899, isBound: false });
  });

  test("nor above 1", () => {
    expect(boundPValue(1 + 1e-15)).toEqual({ pValue: 1, isBound: false });
  });
});

describe("large cohorts", () => {
  const random = seededGenerator(7);
  const draw = (tasks: number, repetitions: number, drift: number) =>
    Array.from({ length: tasks }, () => Math.round((random() * 2 - 1 + drift) * repetitions));

  test("1,000 tasks of 10 and of 100 repetitions are exact", () => {
    expect(signFlipTest(draw(1000, 10, 0.05), 0.05).method).toBe("sign-flip-exact");
    expect(signFlipTest(draw(1000, 100, 0.05), 0.05).method).toBe("sign-flip-exact");
    const ranks = Array.from({ length: 1000 }, (_, index) => index + 1);
    expect(subsetSumWork(ranks, 250_250)).toBeLessThan(workBound / 2);
    expect(signedRankTest(draw(1000, 300, 0.05), 0.05).method).toBe("signed-rank-exact");
  });

  test("10,000 tasks are exact with few repetitions, else a labelled approximation", () => {
    expect(signFlipTest(draw(10_000, 1, 0.05), 0.05).method).toBe("sign-flip-exact");
    const result = signFlipTest(draw(10_000, 1000, 0.05), 0.05);
    expect(result.method).toBe("sign-flip-approximate");
    expect(result.pValue).toBeGreaterThan(0);
    const ranked = signedRankTest(
      draw(10_000, 1000, 0.01).map((value) => value / 7),
      0.05,
    );
    expect(ranked.method).toBe("signed-rank-approximate");
    expect(ranked.midPValue).toBeLessThan(ranked.pValue!);
  });

  test.each([20, 60, 300])("the approximation is within 2% of the exact tail, however far out (%s tasks)", (tasks) => {
    const weights = Array.from({ length: tasks }, (_, index) => 1 + ((index * 7) % 10));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const share of [0.02, 0.1, 0.3, 0.5, 0.7]) {
      const observed = total - 2 * Math.round((total * (1 - share)) / 2);
      const exact = signedSumTail(weights, observed);
      const approximate = signedSumTail(weights, observed, 0);
      expect(approximate.isExact).toBe(false);
      expect(Math.abs(approximate.twoSided / exact.twoSided - 1)).toBeLessThan(0.02);
      expect(Math.abs(approximate.mid / exact.mid - 1)).toBeLessThan(0.02);
    }
  });

  test("the approximation at the centre and at the extreme", () => {
    const weights = new Array<number>(100).fill(1);
    expect(signedSumTail(weights, 0, 0)).toMatchObject({ isExact: false, twoSided: 1 });
    const extreme = signedSumTail(weights, 100, 0);
    expect(extreme.twoSided / 2 ** -99).toBeGreaterThan(0.8);
    expect(extreme.twoSided / 2 ** -99).toBeLessThan(1.2);
  });
});

describe("McNemar's exact test", () => {
  test("by hand: 4 against 1", () => {
    // 2 · (C(5,0) + C(5,1)) / 2^5 = 12/32; mid-p takes off C(5,1)/32 once
    const { pValue, midPValue, informativeTasks } = mcnemarTest(4, 1, 0.05);
    expect(pValue).toBeCloseTo(0.375, 14);
    expect(midPValue).toBeCloseTo(0.21875, 14);
    expect(informativeTasks).toBe(5);
  });

  test("equal counts and no counts give 1", () => {
    expect(mcnemarTest(3, 3, 0.05).pValue).toBe(1);
    expect(mcnemarTest(0, 0, 0.05)).toMatchObject({
      pValue: 1,
      midPValue: 1,
      reason: { code: "too-few-pairs-that-differ" },
    });
  });
});

describe("signed-rank test", () => {
  test("by hand, with a zero and a tie: 0, 3, -3, 5", () => {
    // Sizes 0, 3, 3, 5 rank 1, 2.5, 2.5, 4; the zero drops out. V = 2.5 + 4 = 6.5, of ±2.5±2.5±4 the sum is 4.
    // The sums are 9, 4, 4, 1, -1, -4, -4, -9: |sum| >= 4 in 6 of 8.
    expect(signedRankStatistic([0, 3, -3, 5])).toBe(6.5);
    expect(signedRankTest([0, 3, -3, 5], 0.05)).toMatchObject({
      method: "signed-rank-exact",
      pValue: 0.75,
      informativeTasks: 3,
    });
  });

  test("is what running through all signs gives, ties and zeros included", () => {
    fc.assert(
      fc.property(sums, (values) => {
        const ranks = values.map((value) => {
          const smaller = values.filter((other) => Math.abs(other) < Math.abs(value)).length;
          const equal = values.filter((other) => Math.abs(other) === Math.abs(value)).length;
          return Math.sign(value) * (2 * smaller + equal + 1);
        });
        const weights = ranks.filter((rank) => rank !== 0).map(Math.abs);
        const observed = ranks.reduce((total, rank) => total + rank, 0);
        expect(signedRankTest(values, 0.05).pValue).toBeCloseTo(enumerate(weights, observed).twoSided, 14);
      }),
    );
  });

  test("rounding does not break ties: thirds that are equal, and logarithms that cancel", () => {
    const third = (0.1 + 0.2) / 3;
    expect(third).not.toBe(0.1);
    expect(signedRankStatistic([third, -0.1, 0.2])).toBe(1.5 + 3);
    const almostZero = Math.log(3 / 2) + Math.log(2 / 3);
    expect(signedRankTest([almostZero, 1, 2], 0.05).informativeTasks).toBe(2);
  });

  test("all ties, all zeros, nothing", () => {
    // Six equal values: all signs alike, 2 · 2^-6
    expect(signedRankTest([1, 1, 1, 1, 1, 1], 0.05).pValue).toBe(0.03125);
    expect(signedRankTest([0, 0], 0.05)).toMatchObject({ pValue: 1, informativeTasks: 0 });
    expect(signedRankTest([], 0.05)).toMatchObject({ pValue: null, reason: { code: "no-pairs" } });
  });
});

describe("signed-rank distribution without ties", () => {
  test("n = 3 by hand: V = 0, 1, 2, 3, 3, 4, 5, 6, each 1/8", () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((v) => signedRankCdf(v, 3) * 8)).toEqual([1, 2, 3, 5, 6, 7, 8]);
    expect(signedRankCdf(-1, 3)).toBe(0);
    expect(signedRankQuantile(0.5, 3)).toBe(3);
    expect(signedRankQuantile(1, 3)).toBe(6);
  });

  test("the limit is the last rank whose tail is small enough", () => {
    for (let n = 6; n < 60; n += 1) {
      const { rank, isExact } = signedRankLimit(0.025, n);
      expect(isExact).toBe(true);
      expect(signedRankCdf(rank! - 1, n)).toBeLessThanOrEqual(0.025);
      expect(signedRankCdf(rank!, n)).toBeGreaterThan(0.025);
    }
    expect(signedRankLimit(0.025, 5).rank).toBeNull();
    expect(signedRankLimit(0.0005, 11).rank).toBe(1);
  });

  test("the approximate limit is within 0.1% of the exact one where it takes over", () => {
    for (const tail of [0.05, 0.025, 0.005]) {
      const exact = signedRankLimit(tail, 600);
      const approximate = signedRankLimit(tail, 600, 0);
      expect([exact.isExact, approximate.isExact]).toEqual([true, false]);
      expect(Math.abs(approximate.rank! / exact.rank! - 1)).toBeLessThan(0.001);
    }
  });
});
