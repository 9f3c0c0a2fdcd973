import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { entriesOf, linesOf, runMain, runsOf, scratch, task, writeManifest } from "./program.ts";

/** A cohort of one task whose agent is a line of shell in the workspace, with all temporary folders under one of its own. */
async function runWith(agent: string, changes: Record<string, unknown> = {}) {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  try {
    const command = ["sh", "-c", agent, "agent", folder];
    const tasks = [task("only", {}, changes)];
    const ended = await runMain(["run", writeManifest(folder, { command, tasks, repetitions: 1 })]);
    return { ...ended, folder, left: existsSync(temporary) ? entriesOf(temporary) : [] };
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

const solve = "echo right > answer.txt";

test.each([
  [
    "puts files where the harness might work",
    `${solve}; for name in oracle-scratch oracle control touched; do echo x > ../$name; done`,
    true,
  ],
  ["puts links there", `${solve}; for name in oracle-scratch control; do ln -s /nonexistent ../$name; done`, true],
  ["removes everything of its attempt", `${solve}; rm -rf "$(dirname "$PWD")"`, false],
  ["removes everything of the session", `${solve}; rm -rf ../../harness-eval-session*`, true],
  [
    "replaces its attempt by a link",
    `${solve}; here="$(dirname "$PWD")"; mv "$here" "$1/elsewhere"; ln -s "$1/elsewhere" "$here"`,
    false,
  ],
])("an agent that %s has its record, and so has the other arm", async (_, agent, verified) => {
  const { code, stdout, stderr, left } = await runWith(agent);
  expect(stderr).not.toContain("bug in harness-eval");
  expect(code).toBe(0);
  expect(runsOf(stdout).map((run) => run.verified)).toEqual([verified, verified]);
  expect(linesOf(stdout).at(-1)).toMatchObject({ type: "comparison", incomplete: false });
  expect(left).toEqual([]);
});

test("an agent reaches no fixture but its own", async () => {
  const agent = `for config in $(find "$TMPDIR" -path "$PWD" -prune -o -path "*.git/config" -print); do git config -f $config alias.x status; done; git config alias.x >> "$1/seen"; ${solve}`;
  const { code, folder } = await runWith(agent);
  expect(code).toBe(0);
  expect(existsSync(join(folder, "seen")) ? readFileSync(join(folder, "seen"), "utf8") : "").toBe("");
});

test.each([
  ["a pipe", ["mkfifo", "pipe"], 0],
  [
    "a socket",
    [
      "sh",
      "-c",
      `node -e 'require("net").createServer().listen("socket", () => process.kill(process.pid, 9))'; test -S socket`,
    ],
    0,
  ],
  ["nothing at all", ["sh", "-c", 'rm -rf "$PWD"'], 2],
])("setup may leave %s", async (_, setup, expected) => {
  const { code, stderr, left } = await runWith(solve, { setup: [setup] });
  expect(code).toBe(expected);
  expect(stderr).not.toContain("bug in harness-eval");
  if (expected === 2) expect(stderr).toMatch(/tasks\[0\].*setup.*cannot be copied \(ENOENT\) \(found "only"\)/);
  expect(left).toEqual([]);
});

test("an arm's files that do not fit a fixture name the task, the arm and the file, and leave nothing", async () => {
  const folder = scratch();
  const arms = [{ name: "baseline" }, { name: "candidate", files: [{ path: "answer.txt/b", content: "x" }] }];
  const { code, stderr } = await runMain(["run", writeManifest(folder, { arms })]);
  expect(code).toBe(2);
  expect(stderr).toContain("manifest.json: files: task solves, arm candidate: needs a folder where a file is");
});

test("a folder for temporary files that vanishes in the middle ends the cohort as incomplete, with what was recorded", async () => {
  const { code, stdout, stderr } = await runWith(`${solve}; rm -rf "$1/temporary"`);
  expect(stderr).not.toContain("bug in harness-eval");
  expect(code).toBe(4);
  expect(linesOf(stdout).at(-1)).toEqual({ type: "comparison", comparison: null, incomplete: true });
});
