import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository, runsOf, scratch, startEntry, task, writeManifest } from "./program.ts";

const solve = { write: { "answer.txt": "right\n" } };

/** The program as it ships: a compiler in the same process would be measured with it. Inside the repository, to find its packages. */
const build = join(repository, "node_modules", ".cache", "harness-eval-memory-test");
beforeAll(
  () =>
    void execFileSync(join(repository, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json", "--outDir", build], {
      cwd: repository,
    }),
);
afterAll(() => rmSync(build, { recursive: true, force: true }));

test("500 MB of agent output leave the runner under 200 MB of resident memory", async () => {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const tasks = [task("prints", { ...solve, printMegabytes: 500 }, { timeoutMs: 300_000 })];
  const manifest = writeManifest(folder, { tasks, repetitions: 1 });
  const { child, ended } = startEntry(
    [join(build, "script/harness-eval.js")],
    ["run", manifest, "--limit-blocks", "1"],
    temporary,
  );
  let peakKilobytes = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peakKilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? peakKilobytes);
    } catch {
      // Gone: the last reading stands, VmHWM being the peak so far.
    }
  }, 50);
  const { code, stdout } = await ended;
  clearInterval(watch);
  expect(code).toBe(0);
  expect(runsOf(stdout).map((run) => run.metricsStatus)).toEqual(["unavailable", "unavailable"]);
  console.log(`peak resident memory of the runner: ${Math.round(peakKilobytes / 1024)} MB`);
  expect(peakKilobytes).toBeGreaterThan(0);
  expect(peakKilobytes).toBeLessThan(200 * 1024);
}, 180_000);
