import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { patternTasks } from "../compare/patterns.ts";
import { repository, runMain, scratch, task, writeManifest } from "./program.ts";

const manyTasks = Array.from({ length: 8 }, (_, index) => task(`t${index}`, {}));

function pilotOf(patterns: string[], changes: Record<string, unknown> = {}): string {
  const path = join(scratch(), "pilot.ndjson");
  const lines = patternTasks(patterns).map((run) => JSON.stringify({ type: "run", run: { ...run, ...changes } }));
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

test("plan prints blocks, order, time and what can be detected, and runs nothing", async () => {
  const manifest = writeManifest(scratch(), { tasks: manyTasks, margin: 0.1, command: ["no-such-program"] });
  const { code, stdout, stderr } = await runMain(["plan", manifest]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("16 blocks, 32 attempts: 8 tasks x 2 repetitions x 2 arms");
  expect(stdout).toContain("order: baseline first in 8, candidate in 8");
  expect(stdout).toContain("  2. t0, repetition 1: candidate, then baseline");
  expect(stdout).toContain("and 10 more blocks");
  expect(stdout).toContain("time: at most 26.7 min");
  expect(stdout).toContain("margin of 10.0 points, 1 of 4 pairs differs");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("the table of docs/planning.md is the plan of ten tasks with three repetitions", async () => {
  const tasks = Array.from({ length: 10 }, (_, index) => task(`t${index}`, {}));
  const { stdout } = await runMain(["plan", writeManifest(scratch(), { tasks, repetitions: 3 })]);
  const tableOf = (text: string) => /^┌.*?┘$/ms.exec(text)?.[0];
  expect(tableOf(readFileSync(join(repository, "docs/planning.md"), "utf8"))).toBe(tableOf(stdout));
});

test("a pilot gives spread, time, tokens and cost; a smoke run does, since its plan is not asked for", async () => {
  const manifest = writeManifest(scratch(), { tasks: manyTasks, repetitions: 5 });
  const pilot = pilotOf(["b+", "-b", "++", "b.", "-+", "bb"], { inputTokens: 100, outputTokens: 20, costUsd: 0.5 });
  const { code, stdout } = await runMain(["plan", manifest, "--pilot", pilot, "--json"]);
  expect(code).toBe(0);
  const plan = JSON.parse(stdout) as Record<string, unknown>;
  // 40 blocks of 2 s and 1 s, 120 tokens and half a dollar an attempt.
  expect(plan).toMatchObject({
    blocks: 40,
    margin: null,
    pilot: { tasks: 6, pairs: 12, differing: 0.5 },
    expected: { hours: expect.closeTo(120 / 3600, 12) as number, totalTokens: 9600, costUsd: 40 },
    designs: [{ name: "as in the pilot", nonInferiority: null }],
  });
  expect(plan.schedule).toHaveLength(40);
});

test("a pilot in which no pair differs tells times, and leaves the spread to be supposed", async () => {
  const manifest = writeManifest(scratch(), { tasks: manyTasks });
  const { code, stdout } = await runMain(["plan", manifest, "--pilot", pilotOf(["bb", "bb"])]);
  expect(code).toBe(0);
  expect(stdout).toContain("expected, from 4 pairs of a pilot");
  expect(stdout).toContain("1 of 4 pairs differs");
});

test("with fewer than six tasks it says that nothing can be shown", async () => {
  const { stdout } = await runMain(["plan", writeManifest(scratch())]);
  expect(stdout).toContain("With 2 tasks no difference can be shown at all");
  expect(stdout).toContain("The manifest declares no margin");
});
