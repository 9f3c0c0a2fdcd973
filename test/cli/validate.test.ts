import { join } from "node:path";
import { expect, test } from "vitest";
import { runMain, scratch, task, writeManifest } from "./program.ts";

const solution = [{ path: "answer.txt", content: "right\n" }];

function manifestOf(...tasks: ReturnType<typeof task>[]): string {
  return writeManifest(scratch(), { tasks, command: ["no-such-program"] });
}

async function validate(manifest: string, ...more: string[]) {
  const { code, stdout, stderr } = await runMain(["validate", manifest, "--json", "--quiet", ...more]);
  expect(stderr).toBe("");
  const { tasks } = JSON.parse(stdout) as {
    tasks: { taskID: string; isSlow: boolean; controls: { name: string; status: string; found: string }[] }[];
  };
  return {
    code,
    tasks: tasks.map(({ controls, ...rest }) => ({
      ...rest,
      statuses: controls.map(({ status }) => status),
      found: controls.map(({ found }) => found),
    })),
  };
}

test("an oracle that tells all controls apart passes, without an agent", async () => {
  const { code, tasks } = await validate(
    manifestOf(task("good", {}, { solution }), task("no-solution", {})),
    "--times",
    "2",
  );
  expect(code).toBe(0);
  expect(tasks.map(({ statuses }) => statuses)).toEqual([
    ["right", "right", "right", "right"],
    ["right", "none", "right", "right"],
  ]);
});

test.each([
  ["passes whatever it is shown", "void 0;", ["wrong", "right", "wrong", "wrong"], "it passes there"],
  ["fails whatever it is shown", "process.exit(1);", ["right", "wrong", "right", "right"], "it exits with code 1"],
  [
    "asks only whether something was committed",
    `import { execFileSync } from "node:child_process";
const count = execFileSync("git", ["-C", process.argv[1], "rev-list", "--count", "HEAD"], { encoding: "utf8" });
if (count.trim() === "1" && !execFileSync("git", ["-C", process.argv[1], "status", "--short"]).length) process.exit(1);`,
    ["right", "right", "wrong", "wrong"],
    "it passes there",
  ],
  ["does not parse", "if (", ["wrong", "wrong", "wrong", "wrong"], "it is not an ES module"],
])("an oracle that %s is named, with exit code 2", async (_, oracle, statuses, words) => {
  const { code, tasks } = await validate(manifestOf(task("bad", {}, { solution, oracle })));
  expect(code).toBe(2);
  expect(tasks[0]?.statuses).toEqual(statuses);
  expect(tasks[0]?.found.join(" ")).toContain(words);
});

test("an oracle that is right by chance, and one that is slow, are found by repeating them", async () => {
  const state = join(scratch(), "state");
  const flaky = `import fs from "node:fs";
const count = fs.existsSync(${JSON.stringify(state)}) ? fs.readFileSync(${JSON.stringify(state)}).length : 0;
fs.appendFileSync(${JSON.stringify(state)}, "x");
if (count % 2 === 0) process.exit(1);`;
  const slow = `${task("slow", {}).oracle.replace("assert.equal", "await new Promise((resolve) => setTimeout(resolve, 700));\nassert.equal")}`;
  const manifest = manifestOf(
    task("flaky", {}, { oracle: flaky }),
    task("slow", {}, { oracle: slow, solution, oracleTimeoutMs: 1000 }),
  );
  const { code, tasks } = await validate(manifest, "--times", "2", "--contain=processes");
  expect(code).toBe(2);
  expect(tasks[0]?.statuses).toEqual(["flaky", "none", "flaky", "flaky"]);
  expect(tasks[0]?.found[0]).toBe("it passes there, in 1 of 2 runs");
  expect(tasks.map(({ isSlow }) => isSlow)).toEqual([false, true]);
});

test("prints a table, what is wrong below it", async () => {
  const { code, stdout } = await runMain(["validate", manifestOf(task("bad", {}, { solution, oracle: "void 0;" }))]);
  expect(code).toBe(2);
  expect(stdout).toContain("│ bad  │ wrong   │ right    │ wrong  │ wrong     │");
  expect(stdout).toContain("bad, unrelated change: wrong, it passes there\n");
});
