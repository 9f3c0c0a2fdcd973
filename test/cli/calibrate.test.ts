import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Calibration } from "../../src/compare/calibration.ts";
import { calibrate } from "../../src/compare/calibration.ts";
import { patternTasks } from "../compare/patterns.ts";
import { bare } from "../compare/records.ts";
import { linesOf, runMain, runsOf, scratch, task, writeManifest } from "./program.ts";

/** Attempts of two arms that are the same: half of them verify, at times that vary by a factor of four. */
function alike(tasks: number, repetitions: number) {
  const pairs = ["b", "+", "-", "."];
  const patterns = Array.from({ length: tasks }, (_, taskIndex) =>
    Array.from({ length: repetitions }, (_, index) => pairs[(taskIndex * 7 + index * 3) % 4]!).join(""),
  );
  return patternTasks(patterns).map((run, index) => ({ ...run, elapsedMs: 1000 + ((index * 613) % 3000) }));
}

const question = { baseline: "baseline", candidate: "candidate", policy: null, times: 400, seed: 3 };

test("runs the baseline's treatment in both arms, as a cohort of its own, and reports it", async () => {
  const folder = scratch();
  const records = join(folder, "aa.ndjson");
  const tasks = [task("solves", { write: { "answer.txt": "right\n" }, see: "seen.json" })];
  const manifest = writeManifest(folder, { tasks, margin: 0.5 });
  const { code, stdout } = await runMain(["calibrate", manifest, "-o", records, "--times", "20", "--quiet"]);
  expect(code).toBe(0);
  const text = readFileSync(records, "utf8");
  const [cohort] = linesOf(text).flatMap((line) => (line.type === "cohort" ? [line.cohort] : []));
  expect(cohort?.arms).toEqual(["baseline", "baseline-again"]);
  expect(runsOf(text).map((run) => run.verified)).toEqual([true, true, true, true]);
  const ran = await runMain(["run", manifest, "--quiet"]);
  const [usual] = linesOf(ran.stdout).flatMap((line) => (line.type === "cohort" ? [line.cohort] : []));
  expect(cohort?.cohort).not.toBe(usual?.cohort);
  expect(stdout).toContain("A/A: 2 pairs of 1 task");
  expect(stdout).toContain("labels dealt out anew 20 times");
  expect(stdout).toContain("gate: not tried");

  // The same records again, with a policy, and those of the manifest itself.
  const policy = join(folder, "gate.json");
  writeFileSync(policy, JSON.stringify({ success: { margin: 0.1 }, latency: { maxRatio: 1.2 } }));
  const again = await runMain([
    "calibrate",
    manifest,
    "--records",
    records,
    "--policy",
    policy,
    "--seed",
    "1",
    "--json",
  ]);
  expect(again.code).toBe(0);
  const found = JSON.parse(again.stdout) as Calibration;
  expect(found.relabelings).toEqual({
    times: 1000,
    seed: 1,
    improved: 0,
    regressed: 0,
    gate: { passed: 0, failed: 0, undecided: 1 },
  });
  expect(found.warnings.map(({ code: name }) => name)).toContain("latency-too-noisy");
  const foreign = join(folder, "usual.ndjson");
  writeFileSync(foreign, ran.stdout);
  const refused = await runMain(["calibrate", manifest, "--records", foreign]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("usual.ndjson:1: cohort.cohort: is not the calibration of this manifest");
});

test("needs a place for its records", async () => {
  const manifest = writeManifest(scratch());
  for (const more of [[], ["-o", "a", "--records", "b"]]) {
    const { code, stderr } = await runMain(["calibrate", manifest, ...more]);
    expect(code).toBe(2);
    expect(stderr).toContain("--output: ");
  }
});

test("decides wrongly in about 5 of 100 relabelings at most, and the gate in fewer", () => {
  const records = bare(alike(40, 3));
  const policy = { success: { margin: 0.1 }, latency: { maxRatio: 1.2 } };
  const { relabelings } = calibrate(records, { ...question, policy });
  // The test is exact, so that each share is 2.5% at most; 400 relabelings show 4.5% or more of either in 2 of 100 tests.
  expect(relabelings.improved).toBeLessThan(0.045);
  expect(relabelings.regressed).toBeLessThan(0.045);
  expect(relabelings.improved + relabelings.regressed).toBeGreaterThan(0);
  expect(relabelings.gate?.failed).toBeLessThan(0.075);
  const { passed, failed, undecided } = relabelings.gate!;
  expect(passed + failed + undecided).toBeCloseTo(1, 12);
});

test("is reproducible by its seed, and warns of a latency limit below the noise", () => {
  const records = bare(alike(20, 2));
  const tight = { success: { margin: 0.1 }, latency: { maxRatio: 1.01 } };
  const [one, other] = [0, 1].map(() => calibrate(records, { ...question, times: 50, policy: tight }));
  expect(one).toEqual(other);
  expect(one?.warnings.map(({ code }) => code)).toContain("latency-too-noisy");
  const loose = { ...tight, latency: { maxRatio: 100 } };
  const calm = calibrate(records, { ...question, times: 5, policy: loose });
  expect(calm.warnings.map(({ code }) => code)).not.toContain("latency-too-noisy");
});
