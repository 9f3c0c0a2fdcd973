import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runMain, scratch, task, writeManifest } from "./program.ts";

const solve = { write: { "answer.txt": "right\n" } };

function removeKept(stderr: string): void {
  const kept = /workspace kept: (\/.*\/harness-eval-try-[^/\n]+)\/workspace/.exec(stderr)?.[1];
  if (kept !== undefined) rmSync(kept, { recursive: true });
}

test("try runs one attempt, passes the CLI's output through and keeps the workspace", async () => {
  const folder = scratch();
  const tasks = [task("solves", { ...solve, print: ["plain words of the CLI"] })];
  const argv = ["try", writeManifest(folder, { tasks }), "--task", "solves", "--arm", "candidate"];
  const { code, stdout, stderr } = await runMain(argv);
  expect(code).toBe(0);
  expect(stdout).toBe("plain words of the CLI\n");
  expect(stderr).toContain("verified true");
  const workspace = /workspace kept: (.*)/.exec(stderr)?.[1] ?? "";
  expect(readFileSync(join(workspace, "answer.txt"), "utf8")).toBe("right\n");
  expect(existsSync(join(workspace, ".git"))).toBe(true);
  removeKept(stderr);
  const wrong = await runMain(["try", writeManifest(folder), "--task", "solves", "--arm", "neither"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
});

test("try says how to see why the oracle failed, with a command that does", async () => {
  const folder = scratch();
  const work = task("does-nothing", {});
  const { stderr } = await runMain(["try", writeManifest(folder), "--task", work.id, "--arm", "baseline"]);
  const command = /to see why: (.*)\n/.exec(stderr)?.[1] ?? "";
  writeFileSync(join(folder, "oracle.mjs"), work.oracle);
  const { stderr: shown } = spawnSync("sh", ["-c", command.replace("ORACLE_FILE", join(folder, "oracle.mjs"))]);
  expect(shown.toString("utf8")).toContain("AssertionError");
  removeKept(stderr);
});
