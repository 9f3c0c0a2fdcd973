import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/record/schema.ts";
import { noSandbox } from "../process/bubblewrap.ts";
import { linesOf, repository, runsOf, scratch, startProgram } from "./program.ts";

/** What the oracle wants, which nobody can guess from the prompt. */
const number = "480213";
/** Each ends with the tree that it leaves; none does the work. Those in the second list know the number, and cheat on when or where. */
const adversaries = [
  "ends-the-oracle.sh",
  "replaces-builtins.sh",
  "plants-modules.sh",
  "links-outside.sh",
  "makes-it-unreadable.sh",
  "reads-files.mjs",
  "reads-processes.mjs",
  "attaches-a-debugger.mjs",
  "forges-records.mjs",
  "forges-events.sh",
];
const knowing = ["leaves-a-daemon.sh", "edits-git.sh", "moves-git.sh", "moves-its-folder.sh"];

const oracle = `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
try {
  execFileSync("git", ["status", "--short"], { cwd: process.argv[1], stdio: "ignore", timeout: 3000 });
} catch {}
const { total } = await import(join(process.argv[1], "src/total.mjs"));
assert.equal(total([3, 4]), ${number});
`;

function cohort(names: string[], changes: Record<string, unknown> = {}) {
  const folder = scratch();
  const [manifest, records] = [join(folder, "evaluation", "manifest.json"), join(folder, "records.ndjson")];
  mkdirSync(join(folder, "evaluation"));
  mkdirSync(join(folder, "temporary"));
  const tasks = names.map((name) => ({
    id: name.replace(/\..*/, ""),
    prompt: [name, manifest, records, knowing.includes(name) || changes.told === true ? number : "0"].join("\n"),
    files: [
      { path: "src/total.mjs", content: "export const total = () => 0;\n" },
      { path: "total-marker", content: "" },
      { path: ".gitignore", content: "node_modules\n" },
    ],
    oracle,
  }));
  const command = [join(repository, "test/programs/adversaries/play.sh")];
  const fixed = {
    model: "scripted/model",
    runtimeRevision: "adversaries",
    command,
    sandbox: "full-access",
    repetitions: 1,
  };
  const arms = [{ name: "baseline" }, { name: "candidate" }];
  writeFileSync(manifest, JSON.stringify({ ...fixed, timeoutMs: 60_000, arms, tasks }));
  return { folder, manifest, records, temporary: join(folder, "temporary") };
}

/** Tasks in which an arm was verified. */
function verifiedIn(runs: RunRecord[]): string[] {
  return [...new Set(runs.filter((run) => run.verified).map((run) => run.taskID))];
}

async function play(names: string[], contain: string) {
  const { manifest, records, temporary } = cohort(names);
  const { ended } = startProgram(["run", manifest, `--contain=${contain}`, "-o", records, "--quiet"], temporary);
  const { code, stderr } = await ended;
  expect(stderr).not.toContain("bug in harness-eval");
  return { code, stderr, records: readFileSync(records, "utf8") };
}

const all = [...adversaries, ...knowing];
/** What a process of the same user can do, as docs/threat-model.md says; all else is never verified. */
const unstoppable = ["reads-files", "reads-processes", "leaves-a-daemon"];

describe.skipIf(noSandbox !== null)("in a sandbox", () => {
  test("no adversary is verified, and each has its two records", async () => {
    const { code, records } = await play(all, "bwrap");
    expect(code).toBe(0);
    const runs = runsOf(records);
    expect(verifiedIn(runs)).toEqual([]);
    expect(runs).toHaveLength(2 * all.length);
    expect(linesOf(records).at(-1)).toMatchObject({ type: "comparison", incomplete: false });
  });

  test("one that kills its parent, with the work done, has failed", async () => {
    const { code, records } = await play(["kills-its-parent.sh"], "bwrap");
    expect(code).toBe(0);
    const facts = runsOf(records).map(({ outcome, verified, exitCode }) => ({ outcome, verified, exitCode }));
    expect(facts).toEqual(Array(2).fill({ outcome: "failed", verified: false, exitCode: 137 }));
  });

  test("one that writes on the runner's output and into its records writes nothing there", async () => {
    const { stdout, records } = await forge("bwrap");
    expect(stdout).toBe("");
    expect(records).not.toContain("forged");
  });
});

test("without one, what a process of the same user can do is what is documented", async () => {
  const { records } = await play(
    all.filter((name) => name !== "forges-records.mjs"),
    "processes",
  );
  const verified = verifiedIn(runsOf(records));
  expect(verified).toContain("reads-files");
  expect(verified.filter((name) => !unstoppable.includes(name))).toEqual([]);
  expect((await forge("processes")).records).toContain("forged");
});

test("without one, a runner that its agent kills leaves a resumable file and no verified record", async () => {
  const { manifest, records, temporary } = cohort(["kills-its-parent.sh"]);
  const words = ["run", manifest, "--contain=processes", "-o", records, "--quiet"];
  const killed = await startProgram(words, temporary).ended;
  expect(killed.signal).toBe("SIGKILL");
  const left = readFileSync(records, "utf8");
  expect(linesOf(left).map(({ type }) => type)).toEqual(["cohort"]);
  // Its agent would kill the next one too, but for the sandbox.
  const resumed = [...words.filter((word) => word !== "--contain=processes"), "--resume"];
  if (noSandbox !== null) return;
  const { code } = await startProgram(resumed, temporary).ended;
  expect(code).toBe(0);
  expect(runsOf(readFileSync(records, "utf8")).map((run) => run.verified)).toEqual([false, false]);
});

async function forge(contain: string) {
  const { manifest, records, temporary } = cohort(["forges-records.mjs"]);
  const words = ["run", manifest, `--contain=${contain}`, "-o", records, "--quiet"];
  const { stdout } = await startProgram(words, temporary).ended;
  return { stdout, records: readFileSync(records, "utf8") };
}
