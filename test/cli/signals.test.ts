import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import {
  entriesOf,
  isAlive,
  linesOf,
  poll,
  repository,
  runsOf,
  scratch,
  startProgram,
  task,
  writeManifest,
} from "./program.ts";

const solve = { write: { "answer.txt": "right\n" } };

function hangingCohort() {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const pidFile = join(folder, "pid");
  const daemonFile = join(folder, "daemon");
  const tasks = [task("solves", solve), task("hangs", { daemon: daemonFile, hang: pidFile })];
  return { temporary, pidFile, daemonFile, manifest: writeManifest(folder, { tasks, repetitions: 1 }) };
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s records the attempt in flight as cancelled, ends its processes and removes its folders",
  async (signal, expected) => {
    const { temporary, pidFile, daemonFile, manifest } = hangingCohort();
    const { child, ended } = startProgram(["run", manifest], temporary);
    await poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", "the agent to hang");
    child.kill(signal);
    // A second one while the first is at work must not lose records.
    setTimeout(() => child.kill(signal), 100);
    const { code, stdout } = await ended;
    expect(code).toBe(expected);
    expect(runsOf(stdout).map((run) => run.outcome)).toEqual(["completed", "completed", "cancelled"]);
    expect(linesOf(stdout).at(-1)).toEqual({ type: "comparison", comparison: null, incomplete: true });
    expect(isAlive(Number(readFileSync(pidFile, "utf8")))).toBe(false);
    expect(isAlive(Number(readFileSync(daemonFile, "utf8")))).toBe(false);
    expect(entriesOf(temporary)).toEqual([]);
  },
);

test("a reader that goes away ends the run cleanly", async () => {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const manifest = writeManifest(folder, { repetitions: 3 });
  const program = `"${process.execPath}" --import tsx script/harness-eval.ts run "${manifest}" --quiet --contain=processes`;
  const child = spawn("bash", ["-c", `${program} | head -1; echo "status \${PIPESTATUS[0]}"`], {
    cwd: repository,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  await new Promise((resolve) => child.on("close", resolve));
  const [first, status] = stdout.trimEnd().split("\n");
  expect(JSON.parse(first ?? "")).toMatchObject({ type: "cohort" });
  expect(status).toBe("status 4");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(entriesOf(temporary)).toEqual([]);
});
