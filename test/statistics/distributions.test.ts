import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { betaCdf, betaQuantile } from "../../src/statistics/beta.ts";
import { binomialCdf, binomialTails } from "../../src/statistics/binomial.ts";
import { noncentralTCdf, noncentralTTails } from "../../src/statistics/noncentral-t.ts";
import { criticalZ, normalCdf, normalQuantile } from "../../src/statistics/normal.ts";
import { criticalT, tCdf, tQuantile } from "../../src/statistics/student-t.ts";

/** Rows of arguments and value, from mpmath 1.3.0 at 40 digits (30 for the noncentral t, by quadrature of the defining integral). */
const table = JSON.parse(readFileSync(new URL("./distributions.json", import.meta.url), "utf8")) as Record<
  string,
  number[][]
>;

const functions: Record<string, (...args: [number, number, number]) => number> = {
  betaCdf,
  betaQuantile,
  tCdf,
  tQuantile,
  normalCdf,
  normalQuantile,
  binomialCdf,
  noncentralTCdf,
};

test("the table and the functions are the same", () => {
  expect(Object.keys(table).sort()).toEqual(Object.keys(functions).sort());
});

test.each(Object.keys(functions))("%s to twelve digits", (name) => {
  for (const row of table[name]!) {
    const args = row.slice(0, -1);
    const expected = row.at(-1)!;
    const actual = functions[name]!(...(args as [number, number, number]));
    // The noncentral t is a quadrature, whose error is absolute; all others keep their digits in the tails.
    const tolerance = name === "noncentralTCdf" ? 1e-13 : 1e-12 * Math.abs(expected);
    expect(Math.abs(actual - expected), `${name}(${args.join(", ")}) = ${actual}, not ${expected}`).toBeLessThanOrEqual(
      tolerance,
    );
  }
});

describe("closed forms", () => {
  test("t with one degree of freedom is Cauchy: 1/2 + atan(t)/π", () => {
    for (const t of [-50, -1, -0.01, 0, 0.3, 2, 1e4]) expect(tCdf(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 14);
  });

  test("t with two degrees of freedom: 1/2 + t / (2 sqrt(2 + t²))", () => {
    for (const t of [-50, -1, 0, 0.3, 2]) expect(tCdf(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 14);
  });

  test("beta with b = 1 is x^a, with a = 1 is 1 - (1-x)^b", () => {
    expect(betaCdf(0.3, 7, 1)).toBeCloseTo(0.3 ** 7, 15);
    expect(betaCdf(0.3, 1, 7)).toBeCloseTo(1 - 0.7 ** 7, 14);
    expect(betaCdf(0, 2, 3)).toBe(0);
    expect(betaCdf(1, 2, 3)).toBe(1);
  });

  test("three coins: P(X <= 1) = 1/2", () => {
    expect(binomialCdf(1, 3, 0.5)).toBeCloseTo(0.5, 15);
    expect(binomialTails(-1, 3, 0.5)).toEqual({ lower: 0, upper: 1 });
    expect(binomialTails(3, 3, 0.5)).toEqual({ lower: 1, upper: 0 });
  });

  test("the noncentral t without noncentrality is Student's", () => {
    for (const df of [1, 4, 60, 5000]) expect(noncentralTCdf(1.7, df, 0)).toBeCloseTo(tCdf(1.7, df), 13);
  });
});

describe("properties", () => {
  const probability = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });
  const degrees = fc.double({ min: 1, max: 20_000, noNaN: true });

  test("a quantile is undone by its cdf", () => {
    fc.assert(
      fc.property(probability, degrees, (p, df) => {
        expect(Math.abs(tCdf(tQuantile(p, df), df) / p - 1)).toBeLessThan(1e-10);
        expect(Math.abs(normalCdf(normalQuantile(p)) / p - 1)).toBeLessThan(1e-11);
      }),
    );
  });

  test("quantiles rise with p and are odd about the median", () => {
    fc.assert(
      fc.property(probability, probability, degrees, (p, q, df) => {
        fc.pre(Math.abs(p - q) > 1e-9);
        expect(tQuantile(p, df) < tQuantile(q, df)).toBe(p < q);
        expect(normalQuantile(p) < normalQuantile(q)).toBe(p < q);
        expect(tQuantile(0.25, df)).toBe(-tQuantile(0.75, df));
      }),
    );
  });

  test("beta mirrored about 1/2 is beta with its parameters swapped", () => {
    const parameter = fc.double({ min: 0.3, max: 3000, noNaN: true });
    fc.assert(
      fc.property(parameter, parameter, fc.integer({ min: 1, max: 1023 }), (a, b, part) => {
        const x = part / 1024;
        expect(betaCdf(x, a, b) + betaCdf(1 - x, b, a)).toBeCloseTo(1, 12);
      }),
    );
  });

  test("both tails of the noncentral t add up, and mirror with the sign of the noncentrality", () => {
    const real = fc.double({ min: -8, max: 8, noNaN: true });
    fc.assert(
      fc.property(real, degrees, real, (t, df, noncentrality) => {
        const tails = noncentralTTails(t, df, noncentrality);
        expect(tails.lower + tails.upper).toBeCloseTo(1, 13);
        expect(noncentralTTails(-t, df, -noncentrality).upper).toBeCloseTo(tails.lower, 13);
      }),
      { numRuns: 50 },
    );
  });

  test("critical values fall towards the normal one as degrees of freedom grow", () => {
    const values = [1, 2, 5, 20, 200, 1e5].map((df) => criticalT(0.95, df));
    expect(values.toSorted((left, right) => right - left)).toEqual(values);
    expect(values.at(-1)).toBeGreaterThan(criticalZ(0.95));
    expect(values.at(-1)! - criticalZ(0.95)).toBeLessThan(3e-5);
  });
});

test.each([0, 1, -0.1, Number.NaN])("a quantile of probability %s is refused", (p) => {
  expect(() => normalQuantile(p)).toThrow(RangeError);
  expect(() => tQuantile(p, 5)).toThrow(RangeError);
  expect(() => betaQuantile(p, 2, 3)).toThrow(RangeError);
});
