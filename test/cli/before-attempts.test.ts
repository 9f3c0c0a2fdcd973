import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { linesOf, runMain, runsOf, scratch, standInCli, task, writeManifest } from "./program.ts";

const solve = { write: { "answer.txt": "right\n" } };

test("a CLI that vanishes in the middle is a failed attempt, a CLI that never was stops before the first", async () => {
  const folder = scratch();
  const program = join(folder, "cli");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${standInCli}" "$@"\n`, { mode: 0o755 });
  const tasks = [task("removes-the-cli", { ...solve, remove: program })];
  const arms = [{ name: "baseline" }, { name: "candidate", command: ["./cli"], features: { tail_reminders: true } }];
  const manifest = writeManifest(folder, { repetitions: 3, tasks, arms });
  const first = await runMain(["run", manifest, "--quiet"]);
  expect(first.code).toBe(0);
  const candidates = runsOf(first.stdout).filter((run) => run.arm === "candidate");
  expect(candidates.map((run) => run.outcome)).toContain("failed");
  const second = await runMain(["run", manifest]);
  expect(second).toMatchObject({ code: 2, stdout: "" });
  expect(second.stderr).toMatch(/arms\[1\]: there is no such file \(found .*\/cli.*; name the program/);
});

test("a program that cannot be started is named with what is wrong, once where the arms share it", async () => {
  const folder = scratch();
  writeFileSync(join(folder, "cli"), "#!/bin/sh\n", { mode: 0o644 });
  mkdirSync(join(folder, "folder"));
  for (const [program, said] of [
    ["./none", "there is no such file"],
    ["./cli", "the file is not executable"],
    ["./folder", "this is not a regular file"],
    ["no-such-program", "the program is not on the PATH"],
  ] as const) {
    const { code, stderr } = await runMain(["run", writeManifest(folder, { command: [program] })]);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(`command: ${said} (found `)]);
  }
});

test("a name in passEnv that is not set is a warning", async () => {
  const manifest = writeManifest(scratch(), { passEnv: ["IS_SET", "NOT_SET_AT_ALL"], repetitions: 1 });
  const { code, stderr } = await runMain(["run", manifest, "--quiet", "--contain=processes"], {
    env: { IS_SET: "secret" },
  });
  expect(code).toBe(0);
  expect(stderr).toBe(
    "warning: `passEnv` names NOT_SET_AT_ALL, which is not set here, so the agent does not get it.\n",
  );
});

test("an oracle that does not fail first stops before the first attempt, naming its task", async () => {
  const tasks = [
    task("passes-at-once", solve, { oracle: "process.exit(0)" }),
    task("does-not-parse", solve, { oracle: "const = ;" }),
    task("good", solve),
  ];
  const records = join(scratch(), "runs.ndjson");
  const { code, stderr } = await runMain(["run", writeManifest(scratch(), { tasks }), "-o", records]);
  expect(code).toBe(2);
  expect(existsSync(records)).toBe(false);
  expect(stderr).toContain("passes-at-once");
  expect(stderr).toContain("does-not-parse");
  expect(stderr).not.toContain("as they must");
  expect(stderr).not.toContain('"good"');
});

test("an oracle that does not pass on the task's solution stops before the first attempt", async () => {
  const folder = scratch();
  const solution = [{ path: "answer.txt", content: "right\n" }];
  const typo = `import assert from "node:assert/strict"; assert.equal(process.argv[1].lenght, 1);`;
  const tasks = [
    task("always-fails", solve, { solution, oracle: typo }),
    task("wrong-solution", solve, { solution: [{ path: "other.txt", content: "right\n" }] }),
    task("good", solve, { solution }),
  ];
  const { code, stdout, stderr } = await runMain(["run", writeManifest(folder, { tasks }), "--contain=processes"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const said = "the oracle must pass on the solution, but it exits with code 1";
  expect(stderr.trimEnd().split("\n")).toEqual([
    expect.stringContaining(`tasks[0]: ${said} (found "always-fails"); mend`),
    expect.stringContaining(`tasks[1]: ${said} (found "wrong-solution"); mend`),
  ]);
});

test("the solution is laid over what setup made, and no agent sees it", async () => {
  const folder = scratch();
  const seen = join(folder, "seen");
  const solution = [
    { path: "answer.txt", content: "right\n" },
    { path: "solved.txt", content: "" },
  ];
  const setup = [["sh", "-c", "echo made > answer.txt; ls"]];
  const tasks = [task("set-up", {}, { solution, setup })];
  const command = ["sh", "-c", `cd "$2" && { ls -A . ..; cat answer.txt; } >> ${seen}`];
  const { code, stdout } = await runMain(["run", writeManifest(folder, { tasks, command, repetitions: 1 })]);
  expect(code).toBe(0);
  expect(runsOf(stdout).map((run) => run.oracle)).toEqual(["failed", "failed"]);
  expect(readFileSync(seen, "utf8")).toContain("made");
  expect(readFileSync(seen, "utf8")).not.toMatch(/solved|right/);
});

test("an arm whose own files make the oracle pass is refused", async () => {
  const arms = [{ name: "baseline" }, { name: "candidate", files: [{ path: "answer.txt", content: "right\n" }] }];
  const { code, stderr } = await runMain(["run", writeManifest(scratch(), { arms })]);
  expect(code).toBe(2);
  expect(stderr).toContain("must fail with exit code 1");
});

test.each([
  ["adds a file", `fs.writeFileSync(root + "/hint.txt", "the answer is right");`],
  ["changes a file in place", `fs.writeFileSync(root + "/answer.txt", "rigid\\n");`],
  ["changes a mode", `fs.chmodSync(root + "/answer.txt", 0o755);`],
  ["writes into .git", `fs.writeFileSync(root + "/.git/hint", "right");`],
  ["removes everything", `fs.rmSync(root, { recursive: true });`],
  ["puts a dangling link in its place", `fs.rmSync(root, { recursive: true }); fs.symlinkSync("/nowhere", root);`],
])("what the check before an attempt leaves behind never reaches the agent: %s", async (_, damage) => {
  // The agent lists what it finds; it must be what it finds after an oracle that touches nothing.
  const folder = scratch();
  const seen = join(folder, "seen");
  const list = `cd "$2" && { ls -lAR --time-style=+ . .git | grep -v index; cat answer.txt; git status --short; } >> ${seen}`;
  const oracle = `import fs from "node:fs"; const root = process.argv[1]; ${damage} process.exit(1);`;
  const command = ["sh", "-c", list];
  const tasks = [task("touches", {}, { oracle })];
  const touched = await runMain(["run", writeManifest(folder, { tasks, command, repetitions: 1 })]);
  expect(touched.code).toBe(0);
  expect(runsOf(touched.stdout).map((run) => run.oracle)).toEqual(["failed", "failed"]);
  const withDamage = readFileSync(seen, "utf8");
  writeFileSync(seen, "");
  const plain = [task("touches", {}, { oracle: "process.exit(1);" })];
  await runMain(["run", writeManifest(folder, { tasks: plain, command, repetitions: 1 })]);
  expect(withDamage).toContain("answer.txt");
  expect(withDamage).toBe(readFileSync(seen, "utf8"));
});

test("an oracle that stops failing in the middle ends the cohort as incomplete", async () => {
  const folder = scratch();
  const state = join(folder, "state");
  const oracle = `import { existsSync } from "node:fs";\nif (!existsSync(${JSON.stringify(state)})) process.exit(1);`;
  const tasks = [task("leaks", { touch: state }, { oracle })];
  const { code, stdout, stderr } = await runMain(["run", writeManifest(folder, { tasks }), "--contain=processes"]);
  expect(code).toBe(4);
  expect(runsOf(stdout)).toHaveLength(1);
  expect(linesOf(stdout).at(-1)).toEqual({ type: "comparison", comparison: null, incomplete: true });
  expect(stderr).toContain("stopped: task leaks");
});

test("setup runs before the oracle's check and the clock, for each attempt", async () => {
  const tasks = [
    task(
      "set-up",
      { write: { "answer.txt": "right\n" } },
      {
        setup: [["sh", "-c", "echo ready > prepared.txt"]],
        oracle: `
import { existsSync, readFileSync } from "node:fs";
if (!existsSync(process.argv[1] + "/prepared.txt")) process.exit(7);
if (readFileSync(process.argv[1] + "/answer.txt", "utf8") !== "right\\n") process.exit(1);`,
      },
    ),
  ];
  const good = await runMain(["run", writeManifest(scratch(), { tasks, repetitions: 1 })]);
  expect(good.code).toBe(0);
  expect(runsOf(good.stdout).map((run) => run.verified)).toEqual([true, true]);
  const homeless = [task("set-up", {}, { setup: [["sh", "-c", 'test -z "$(ls -A "$HOME")" && touch "$HOME/used"']] })];
  for (const home of ["fresh", "cohort"]) {
    const options = { tasks: homeless, repetitions: 1, home };
    // The cohort's one HOME is empty for the first attempt only.
    expect((await runMain(["run", writeManifest(scratch(), options)])).code).toBe(home === "fresh" ? 0 : 4);
  }
  const tasksOff = [task("set-up", {}, { setup: [["sh", "-c", "exit 5"]] })];
  const bad = await runMain(["run", writeManifest(scratch(), { tasks: tasksOff })]);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain('setup[0] (sh) ended with exit code 5 (found "set-up"); run the command by hand');
});
