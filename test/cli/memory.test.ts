import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtProgram } from "./build.ts";
import { runsOf, scratch, startEntry, task, writeManifest } from "./program.ts";

const solve = { write: { "answer.txt": "right\n" } };

const entry = builtProgram("memory-test");

test("500 MB of agent output leave the runner under 200 MB of resident memory", async () => {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const tasks = [task("prints", { ...solve, printMegabytes: 500 }, { timeoutMs: 300_000 })];
  const manifest = writeManifest(folder, { tasks, repetitions: 1 });
  const { child, ended } = startEntry([entry], ["run", manifest, "--limit-blocks", "1"], temporary);
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
