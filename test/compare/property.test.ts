import fc from "fast-check";
import { expect, test } from "vitest";
import { compare, type Comparison } from "../../src/compare/comparison.ts";
import type { Inference } from "../../src/compare/inference/inference.ts";
import { inferredMetrics, type Estimated } from "../../src/compare/inference/metrics.ts";
import { pairRuns } from "../../src/compare/pair.ts";
import type { RunRecord } from "../../src/record/schema.ts";
import type { Interval } from "../../src/statistics/interval.ts";
import { bare, recordSet, run } from "./records.ts";

const count = fc.option(fc.oneof(fc.nat(50), fc.maxSafeNat()), { nil: undefined });

const attempt = fc
  .record({
    outcome: fc.constantFrom("completed" as const, "completed" as const, "failed" as const, "timeout" as const),
    passed: fc.boolean(),
    elapsedMs: fc.oneof(fc.nat(5), fc.double({ min: 0, max: Number.MAX_SAFE_INTEGER, noNaN: true })),
    inputTokens: count,
    toolErrors: count,
    metricsStatus: fc.constantFrom(undefined, "observed" as const, "partial" as const, "unavailable" as const),
  })
  .map(({ passed, ...facts }) => ({ ...facts, verified: passed && facts.outcome === "completed" }));

const cellBlocks = fc.array(fc.tuple(attempt, attempt), { minLength: 1, maxLength: 24 });

/** Whole pairs in up to four cells of up to two models and cohorts. */
const pairedRuns = fc
  .uniqueArray(
    fc.record({
      taskID: fc.constantFrom("a", "b", "__proto__"),
      model: fc.constantFrom("m/1", "m/2"),
      cohort: fc.constantFrom("c1", "c2"),
      blocks: cellBlocks,
    }),
    { minLength: 1, maxLength: 4, selector: ({ taskID, model, cohort }) => JSON.stringify([taskID, model, cohort]) },
  )
  .map((cells) =>
    cells.flatMap(({ blocks, ...identity }) =>
      blocks.flatMap(([baseline, candidate], repetition) => [
        run({ ...identity, repetition, ...baseline, arm: "baseline" }),
        run({ ...identity, repetition, ...candidate, arm: "candidate" }),
      ]),
    ),
  );

/** One model and cohort with up to a dozen tasks, enough for every interval. */
const oneCohort = fc
  .array(fc.array(fc.tuple(attempt, attempt), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
  .map((tasks) =>
    tasks.flatMap((blocks, task) =>
      blocks.flatMap(([baseline, candidate], repetition) => [
        run({ taskID: `t${task}`, repetition, ...baseline, arm: "baseline" }),
        run({ taskID: `t${task}`, repetition, ...candidate, arm: "candidate" }),
      ]),
    ),
  );
const anyPaired = fc.oneof(pairedRuns, oneCohort);

const shuffledTwice = pairedRuns.chain((runs) =>
  fc.tuple(fc.constant(runs), fc.shuffledSubarray(runs, { minLength: runs.length })),
);

test("the order of the runs does not matter", () => {
  fc.assert(
    fc.property(shuffledTwice, ([runs, shuffled]) => {
      expect(compare(bare(shuffled), "baseline", "candidate")).toEqual(compare(bare(runs), "baseline", "candidate"));
    }),
  );
});

test("swapping the arms swaps the summaries, negates the difference and inverts every ratio of a pair", () => {
  fc.assert(
    fc.property(pairedRuns, (runs) => {
      const there = compare(bare(runs), "baseline", "candidate");
      const back = compare(bare(runs), "candidate", "baseline");
      expect(back.baseline).toEqual(there.candidate);
      expect(back.candidate).toEqual(there.baseline);
      expect(back.cells.map((cell) => cell.baseline)).toEqual(there.cells.map((cell) => cell.candidate));
      expect(back.pairs).toEqual({
        both: there.pairs.both,
        baselineOnly: there.pairs.candidateOnly,
        candidateOnly: there.pairs.baselineOnly,
        neither: there.pairs.neither,
      });
      expect(back.successRateDifference + there.successRateDifference).toBe(0);
      expect(back.pairedVerifiedCount).toBe(there.pairedVerifiedCount);
    }),
  );
});

test("swapping the arms negates every inferred difference, inverts every ratio and turns the direction round", () => {
  const turned = { improved: "regressed", regressed: "improved", undecided: "undecided" } as const;
  const negated = ({ estimate, interval }: Estimated) => ({
    estimate: estimate === null ? null : -estimate,
    limits: interval === null ? null : [-interval.upper, -interval.lower],
  });
  const inverted = ({ estimate, interval }: Estimated) => ({
    estimate: estimate === null ? null : 1 / estimate,
    limits: interval === null ? null : [1 / interval.upper, 1 / interval.lower],
  });
  const same = ({ estimate, interval }: Estimated) => ({
    estimate,
    limits: interval === null ? null : [interval.lower, interval.upper],
  });
  fc.assert(
    fc.property(anyPaired, (runs) => {
      const there = inferencesOf(compare(bare(runs), "baseline", "candidate"));
      const back = inferencesOf(compare(bare(runs), "candidate", "baseline"));
      there.forEach((one, index) => {
        const other = back[index]!;
        expectClose(same(other.success.difference), negated(one.success.difference));
        expect(other.success.difference.test.pValue).toBe(one.success.difference.test.pValue);
        expect(other.success.baseline).toEqual(one.success.candidate);
        expectClose(same(other.latency.ratio), inverted(one.latency.ratio));
        for (const name of inferredMetrics) {
          expectClose(same(other.metrics[name].difference), negated(one.metrics[name].difference));
          expect(other.metrics[name].pValueHolm).toBe(one.metrics[name].pValueHolm);
        }
        expect(other.verdict.direction).toBe(turned[one.verdict.direction]);
      });
    }),
  );
});

/** Equal up to rounding: walking the sums in the other order rounds otherwise. */
function expectClose(found: Limits, expected: Limits): void {
  const flat = ({ estimate, limits }: Limits) => [estimate, ...(limits ?? [])];
  const [from, to] = [flat(found), flat(expected)];
  expect(from.length).toBe(to.length);
  from.forEach((value, index) => {
    const other = to[index] ?? null;
    if (value === null || other === null) expect(value).toBe(other);
    else expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(value), Math.abs(other)));
  });
}

interface Limits {
  estimate: number | null;
  limits: number[] | null;
}

function inferencesOf({ inference, inferences }: Comparison): Inference[] {
  return inference === null ? inferences : [inference];
}

test("an interval holds its estimate, has a width, and stands alone or beside a reason", () => {
  fc.assert(
    fc.property(anyPaired, (runs) => {
      for (const one of inferencesOf(compare(bare(runs), "baseline", "candidate"))) {
        const all: (Estimated & { interval: Interval | null })[] = [
          one.success.difference,
          one.latency.ratio,
          ...inferredMetrics.map((name) => one.metrics[name].difference),
        ];
        for (const { estimate, interval, reason } of all) {
          expect(interval === null).toBe(reason !== null);
          if (interval === null) continue;
          expect(interval.lower).toBeLessThan(interval.upper);
          expect(interval.lower).toBeLessThanOrEqual(estimate!);
          expect(interval.upper).toBeGreaterThanOrEqual(estimate!);
        }
        expect(one.success.difference.test.pValue).toBeGreaterThan(0);
        if (one.verdict.direction !== "undecided") expect(one.success.difference.test.pValue).toBeLessThanOrEqual(0.05);
      }
    }),
  );
});

test("the median ratio of an odd number of pairs is inverted too", () => {
  const elapsed = fc.integer({ min: 1, max: 1_000_000 });
  const odd = fc
    .array(fc.tuple(elapsed, elapsed), { minLength: 1, maxLength: 21 })
    .filter((pairs) => pairs.length % 2 === 1);
  fc.assert(
    fc.property(odd, (pairs) => {
      const runs = pairs.flatMap(([baseline, candidate], repetition) => [
        run({ repetition, elapsedMs: baseline, arm: "baseline" }),
        run({ repetition, elapsedMs: candidate, arm: "candidate" }),
      ]);
      const there = compare(bare(runs), "baseline", "candidate").medianCandidateOverBaselineElapsedRatio ?? NaN;
      const back = compare(bare(runs), "candidate", "baseline").medianCandidateOverBaselineElapsedRatio ?? NaN;
      expect(there * back).toBeCloseTo(1, 9);
    }),
  );
});

test("every number is finite, and the counts add up", () => {
  fc.assert(
    fc.property(anyPaired, (runs) => {
      const comparison = compare(bare(runs), "baseline", "candidate");
      for (const value of numbersIn(comparison)) expect(Number.isFinite(value)).toBe(true);
      const { both, baselineOnly, candidateOnly, neither } = comparison.pairs;
      expect(both + baselineOnly + candidateOnly + neither).toBe(runs.length / 2);
      expect(comparison.baseline.verifiedCount).toBe(both + baselineOnly);
      expect(comparison.ratioSampleCount + comparison.ratioZeroBaselineCount).toBe(both);
      for (const summary of summariesOf(comparison)) {
        const failures = Object.values<number>({ ...summary.failures }).reduce((sum, failed) => sum + failed, 0);
        expect(summary.verifiedCount + failures).toBe(summary.count);
        for (const metric of Object.values(summary.metrics)) {
          expect(metric.observedCount + metric.missingCount).toBe(summary.count);
          expect(metric.median === null).toBe(metric.observedCount === 0);
        }
      }
    }),
  );
});

test("every whole block becomes one pair of one attempt of each arm; what remains is reported", () => {
  const anyRuns = fc.array(
    fc.record({
      taskID: fc.constantFrom("a", "b"),
      model: fc.constantFrom("m/1", "m/2"),
      cohort: fc.constantFrom("c1", "c2"),
      arm: fc.constantFrom("baseline", "candidate"),
      repetition: fc.nat(3),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(anyRuns, (identities) => {
      const runs = identities.map((identity, index) => ({ run: run(identity), line: index + 1 }));
      const { cells, unpaired, duplicates } = pairRuns(runs, "baseline");
      const pairs = cells.flatMap((cell) => cell.pairs);
      for (const { baseline, candidate } of pairs) {
        expect([baseline.run.arm, candidate.run.arm]).toEqual(["baseline", "candidate"]);
        expect(identityOf(baseline.run)).toBe(identityOf(candidate.run));
      }
      expect(new Set(pairs.map((pair) => identityOf(pair.baseline.run))).size).toBe(pairs.length);
      const lines = [
        ...pairs.flatMap((pair) => [pair.baseline.line, pair.candidate.line]),
        ...unpaired.map((one) => one.line),
        ...duplicates.map((one) => one.again.line),
      ];
      expect(lines.sort((a, b) => a - b)).toEqual(runs.map((one) => one.line));
    }),
  );
});

test("a run that is taken out of a complete cohort is always missed", () => {
  const tasks = ["a", "b"];
  const whole = tasks.flatMap((taskID) =>
    [0, 1, 2].flatMap((repetition) =>
      ["baseline", "candidate"].map((arm) => run({ taskID, repetition, arm, cohort: "c1" })),
    ),
  );
  const cohorts = [
    {
      schemaVersion: 1,
      cohort: "c1",
      harnessVersion: "0.1.0",
      model: "provider/model",
      runtimeRevision: "r1",
      agent: "ax-code",
      arms: ["baseline", "candidate"] as [string, string],
      tasks,
      repetitions: 3,
    },
  ];
  expect(() => compare(recordSet({ cohorts, runs: whole }), "baseline", "candidate")).not.toThrow();
  fc.assert(
    fc.property(fc.subarray(whole, { minLength: 1, maxLength: whole.length - 1 }), (runs) => {
      expect(() => compare(recordSet({ cohorts, runs }), "baseline", "candidate")).toThrow(/missing|no such arm/);
    }),
  );
});

function identityOf({ taskID, model, cohort, repetition }: RunRecord): string {
  return JSON.stringify([taskID, model, cohort, repetition]);
}

function summariesOf(comparison: Comparison) {
  return [comparison, ...comparison.cells].flatMap(({ baseline, candidate }) => [baseline, candidate]);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
