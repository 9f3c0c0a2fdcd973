import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compare } from "../../src/compare/comparison.ts";
import { readRecords } from "../../src/record/reader.ts";
import { block, plan } from "./records.ts";

test("100,000 records of a planned cohort, from a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "records-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "runs.ndjson");
  const tasks = Array.from({ length: 500 }, (_, index) => `task-${index}`);
  const out = createWriteStream(file);
  out.write(`${JSON.stringify({ type: "cohort", cohort: plan({ tasks, repetitions: 100 }) })}\n`);
  for (const taskID of tasks) {
    // Of each task's 100 blocks the baseline verifies 50 and the candidate 60: both 30, baseline 20, candidate 30, neither 20.
    const runs = Array.from({ length: 100 }, (_, repetition) =>
      block(
        { taskID, repetition, inputTokens: repetition },
        { verified: repetition < 50, elapsedMs: 200 },
        { verified: repetition >= 20 && repetition < 80, elapsedMs: 100 },
      ),
    ).flat();
    out.write(runs.map((run) => `${JSON.stringify({ type: "run", run })}\n`).join(""));
  }
  out.end(`${JSON.stringify({ type: "comparison", comparison: null, incomplete: false })}\n`);
  await once(out, "close");

  const records = await readRecords(file);
  expect(records.runs).toHaveLength(100_000);
  expect(compare(records, "baseline", "candidate")).toMatchObject({
    baseline: { count: 50_000, verifiedCount: 25_000, successRate: 0.5, metrics: { inputTokens: { median: 49.5 } } },
    candidate: { count: 50_000, verifiedCount: 30_000, successRate: 0.6 },
    pairs: { both: 15_000, baselineOnly: 10_000, candidateOnly: 15_000, neither: 10_000 },
    successRateDifference: 0.1,
    ratioSampleCount: 15_000,
    medianCandidateOverBaselineElapsedRatio: 0.5,
    warnings: [],
  });
});
