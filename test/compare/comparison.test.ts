import { describe, expect, test } from "vitest";
import { compare } from "../../src/compare/comparison.ts";
import type { RunRecord } from "../../src/record/schema.ts";
import { bare, block, run } from "./records.ts";

const compared = (runs: readonly RunRecord[]) => compare(bare(runs), "baseline", "candidate");

/** `count` blocks; each side is a function of the repetition. */
function blocks(
  count: number,
  baseline: (repetition: number) => Partial<RunRecord>,
  candidate: (repetition: number) => Partial<RunRecord> = baseline,
): RunRecord[] {
  return Array.from({ length: count }, (_, repetition) =>
    block({ repetition }, baseline(repetition), candidate(repetition)),
  ).flat();
}

describe("success", () => {
  // Four blocks: both verify, baseline only, candidate only, candidate only.
  // Baseline 2 of 4 = 0.5, candidate 3 of 4 = 0.75, difference (2 - 1) / 4 = 0.25.
  const runs = [
    ...block({ repetition: 0 }),
    ...block({ repetition: 1 }, {}, { verified: false }),
    ...block({ repetition: 2 }, { outcome: "failed", verified: false }),
    ...block({ repetition: 3 }, { outcome: "timeout", verified: false }),
  ];

  test("failed and unverified attempts stay in the denominator", () => {
    const comparison = compared(runs);
    expect(comparison).toMatchObject({
      schemaVersion: 1,
      baseline: { arm: "baseline", count: 4, verifiedCount: 2, successRate: 0.5 },
      candidate: { arm: "candidate", count: 4, verifiedCount: 3, successRate: 0.75 },
      pairs: { both: 1, baselineOnly: 1, candidateOnly: 2, neither: 0 },
      successRateDifference: 0.25,
      pairedVerifiedCount: 1,
    });
    expect(comparison.baseline.failures).toEqual({ failed: 1, timeout: 1, cancelled: 0, completed_unverified: 0 });
    expect(comparison.candidate.failures).toEqual({ failed: 0, timeout: 0, cancelled: 0, completed_unverified: 1 });
  });

  test("nothing verified leaves no latency and no ratio, not zero", () => {
    const comparison = compared(blocks(2, () => ({ verified: false })));
    expect(comparison).toMatchObject({
      baseline: { successRate: 0, successfulElapsedMedianMs: null, successfulElapsedP95Ms: null },
      pairs: { both: 0, baselineOnly: 0, candidateOnly: 0, neither: 2 },
      successRateDifference: 0,
      ratioSampleCount: 0,
      medianCandidateOverBaselineElapsedRatio: null,
    });
  });
});

describe("latency", () => {
  test("medians are of verified attempts; of an even count, the mean of the middle two", () => {
    // Baseline verified 100, 300, 500, 700: (300 + 500) / 2 = 400. Candidate verified 200, 400, 900: 400; its 9999 did not verify.
    const baseline = [100, 300, 500, 700];
    const candidate = [200, 9999, 400, 900];
    const comparison = compared(
      blocks(
        4,
        (repetition) => ({ elapsedMs: baseline[repetition] }),
        (repetition) => ({ elapsedMs: candidate[repetition], verified: repetition !== 1 }),
      ),
    );
    expect(comparison.baseline.successfulElapsedMedianMs).toBe(400);
    expect(comparison.candidate.successfulElapsedMedianMs).toBe(400);
    // Both verified in repetitions 0, 2 and 3: 200/100 = 2, 400/500 = 0.8, 900/700 = 1.2857; the middle one is 9/7.
    expect(comparison.ratioSampleCount).toBe(3);
    expect(comparison.medianCandidateOverBaselineElapsedRatio).toBeCloseTo(9 / 7, 12);
  });

  test("a ratio of two pairs is the mean of theirs", () => {
    // 50/100 = 0.5 and 200/100 = 2: (0.5 + 2) / 2 = 1.25.
    const comparison = compared(
      blocks(
        2,
        () => ({ elapsedMs: 100 }),
        (repetition) => ({ elapsedMs: [50, 200][repetition] }),
      ),
    );
    expect(comparison.medianCandidateOverBaselineElapsedRatio).toBe(1.25);
  });

  test("a baseline of 0 ms, or of too little for a finite ratio, is left out and counted; a candidate of 0 ms is not", () => {
    const baseline = [0, 0, Number.MIN_VALUE, 10];
    const candidate = [0, 5, 5, 0];
    const comparison = compared(
      blocks(
        4,
        (repetition) => ({ elapsedMs: baseline[repetition] }),
        (repetition) => ({ elapsedMs: candidate[repetition] }),
      ),
    );
    expect(comparison).toMatchObject({
      pairedVerifiedCount: 4,
      ratioSampleCount: 1,
      ratioZeroBaselineCount: 3,
      medianCandidateOverBaselineElapsedRatio: 0,
    });
  });

  test("P95 is the nearest rank of at least twenty verified attempts in one cell", () => {
    // Baseline: 1 to 20 ms, rank ceil(0.95 * 20) = 19, so 19 ms. Candidate: one did not verify, so 19 are too few.
    const comparison = compared(
      blocks(
        20,
        (repetition) => ({ elapsedMs: 20 - repetition }),
        (repetition) => ({ elapsedMs: 20 - repetition, verified: repetition > 0 }),
      ),
    );
    expect(comparison.cells[0]?.baseline).toMatchObject({
      successfulElapsedP95Ms: 19,
      successfulElapsedP95Reason: null,
    });
    expect(comparison.cells[0]?.candidate).toMatchObject({
      successfulElapsedP95Ms: null,
      successfulElapsedP95Reason: {
        code: "too-few-verified",
        message: "19 verified attempts, 20 needed",
        needed: 20,
      },
    });
    // The totals of a single cell are that cell's.
    expect(comparison.baseline.successfulElapsedP95Ms).toBe(19);
  });

  test("P95 of 21: rank ceil(19.95) = 20", () => {
    const comparison = compared(blocks(21, (repetition) => ({ elapsedMs: repetition + 1 })));
    expect(comparison.baseline.successfulElapsedP95Ms).toBe(20);
  });

  test("there is no P95 over several cells, however many attempts they have", () => {
    const runs = ["a", "b"].flatMap((taskID) => blocks(20, () => ({ taskID })));
    const comparison = compared(runs);
    expect(comparison.cells.map((cell) => cell.baseline.successfulElapsedP95Ms)).toEqual([1000, 1000]);
    expect(comparison.baseline).toMatchObject({
      successfulElapsedP95Ms: null,
      successfulElapsedP95Reason: { code: "several-cells", needed: null },
    });
  });
});

describe("metrics", () => {
  test("include failed attempts where observed; partial and unavailable are missing, whatever they state", () => {
    // Observed: 10 (verified), 30 (failed), 0 (completed, no status): median 10. Missing: partial, unavailable, absent.
    const states: Partial<RunRecord>[] = [
      { inputTokens: 10, metricsStatus: "observed" },
      { inputTokens: 30, metricsStatus: "observed", outcome: "failed", verified: false },
      { inputTokens: 0 },
      { inputTokens: 1000, metricsStatus: "partial" },
      { inputTokens: 1000, metricsStatus: "unavailable" },
      { metricsStatus: "observed" },
    ];
    const comparison = compared(
      blocks(
        6,
        (repetition) => states[repetition] ?? {},
        () => ({}),
      ),
    );
    expect(comparison.baseline.metrics.inputTokens).toEqual({ observedCount: 3, missingCount: 3, median: 10 });
    expect(comparison.candidate.metrics.inputTokens).toEqual({ observedCount: 0, missingCount: 6, median: null });
    expect(Object.keys(comparison.baseline.metrics)).toEqual([
      "inputTokens",
      "outputTokens",
      "reasoningTokens",
      "cacheReadTokens",
      "toolCalls",
      "toolErrors",
    ]);
  });
});

describe("cells", () => {
  test("one for each task, model and cohort, in their order; pairs never cross them", () => {
    const identities = [
      { model: "m/2", cohort: "c1", taskID: "b" },
      { model: "m/1", cohort: "c2", taskID: "a" },
      { model: "m/1", cohort: "c1", taskID: "b" },
      { model: "m/1", cohort: "c1", taskID: "a" },
    ];
    const comparison = compared(identities.flatMap((identity, index) => block(identity, { verified: index === 0 })));
    expect(comparison.cells.map(({ model, cohort, taskID }) => ({ model, cohort, taskID }))).toEqual(
      [...identities].reverse(),
    );
    expect(comparison.cells.map((cell) => cell.baseline.verifiedCount)).toEqual([0, 0, 0, 1]);
    expect(comparison.cells[3]).toMatchObject({ baseline: { arm: "baseline" }, candidate: { arm: "candidate" } });
    expect(comparison.baseline.count).toBe(4);
  });

  test("names that would collide when joined stay apart", () => {
    const runs = [...block({ taskID: "a", model: "b|c" }), ...block({ taskID: "a|b", model: "c" })];
    expect(compared(runs).cells).toHaveLength(2);
    expect(compared([run({ taskID: "__proto__" }), run({ taskID: "__proto__", arm: "candidate" })]).cells).toHaveLength(
      1,
    );
  });
});

test("limitations say what no comparison establishes", () => {
  const { limitations } = compared(block({}));
  const subjects = [/not a bill/, /child sessions/, /verified attempts only/, /cohort id/, /change of a default/];
  for (const subject of subjects) expect(limitations.join(" ")).toMatch(subject);
});
