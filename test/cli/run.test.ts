import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { documentedManifest, linesOf, runMain, runsOf, scratch, standInCli, task, writeManifest } from "./program.ts";

const solve = { write: { "answer.txt": "right\n" } };

function removeKept(stderr: string): void {
  const kept = /workspace kept: (\/.*\/harness-eval-attempt-[^/\n]+)\/workspace/.exec(stderr)?.[1];
  if (kept !== undefined) rmSync(kept, { recursive: true });
}

describe("run", () => {
  test("runs a documented manifest: blocks in alternating order, one line an attempt, the comparison last", async () => {
    const { code, stdout, stderr } = await runMain(["run", writeManifest(scratch())]);
    expect(stderr).toContain("2 of 2 oracles fail on their fixtures");
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(lines[0]).not.toHaveProperty("cohort.whole");
    expect(lines.map((line) => line.type)).toEqual(["cohort", ...Array<string>(8).fill("run"), "comparison"]);
    const order = runsOf(stdout).map((run) => `${run.taskID} ${run.repetition} ${run.arm}`);
    expect(order).toEqual([
      "solves 0 baseline",
      "solves 0 candidate",
      "solves 1 candidate",
      "solves 1 baseline",
      "does-nothing 0 candidate",
      "does-nothing 0 baseline",
      "does-nothing 1 baseline",
      "does-nothing 1 candidate",
    ]);
    expect(runsOf(stdout).map((run) => run.verified)).toEqual([true, true, true, true, false, false, false, false]);
    expect(runsOf(stdout).every((run) => run.outcome === "completed" && run.metricsStatus === "unavailable")).toBe(
      true,
    );
    expect(lines.at(-1)).toMatchObject({ incomplete: false, comparison: { pairedVerifiedCount: 2 } });
  });

  test("compare reads what run wrote", async () => {
    const folder = scratch();
    const records = join(folder, "runs.ndjson");
    const ran = await runMain(["run", writeManifest(folder), "--output", records, "--quiet"]);
    expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { code, stdout } = await runMain(["compare", records, "baseline", "candidate"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      pairedVerifiedCount: 2,
      baseline: {
        arm: "baseline",
        count: 4,
        verifiedCount: 2,
        successRate: 0.5,
        failures: { completed_unverified: 2 },
      },
      candidate: { arm: "candidate", count: 4, verifiedCount: 2 },
    });
  });

  test("gives the CLI its documented arguments, variables and nothing of Git's", async () => {
    // The oracle passes only where the stand-in saw what the documentation promises.
    const oracle = `import { readFileSync, realpathSync } from "node:fs";
import assert from "node:assert/strict";
const root = process.argv[1];
const seen = JSON.parse(readFileSync(root + "/seen.json", "utf8"));
const dir = seen.argv[seen.argv.indexOf("--dir") + 1];
assert.equal(realpathSync(dir), realpathSync(root));
assert.equal(realpathSync(seen.cwd), realpathSync(root));
assert.deepEqual([seen.originalCwd, seen.pwd], [dir, dir]);
assert.deepEqual(seen.argv.slice(0, -1), ["run", "--dir", dir, "--model", "scripted/model", "--sandbox", "workspace-write", "--format", "json", "--"]);
const flags = { context_recovery: true, mcp_tool_discovery: false, tail_reminders: false, read_only_recipes: false };
assert.deepEqual(JSON.parse(seen.config), { theme: "kept", experimental: flags });
assert.ok(!seen.names.some((name) => name.startsWith("GIT_")));`;
    const changes = { repetitions: 1, tasks: [task("sees", { see: "seen.json" }, { oracle })] };
    const env = {
      AX_CODE_CONFIG_CONTENT: JSON.stringify({ theme: "kept" }),
      GIT_DIR: "/nowhere",
      GIT_INDEX_FILE: "/nowhere",
    };
    const { code, stdout } = await runMain(["run", writeManifest(scratch(), changes)], { env });
    expect(code).toBe(0);
    expect(runsOf(stdout).map(({ arm, verified }) => ({ arm, verified }))).toEqual([
      { arm: "baseline", verified: false },
      { arm: "candidate", verified: true },
    ]);
  });

  test("passEnv and home: fresh leave the CLI a small base, the named variables and an empty home", async () => {
    const oracle = `import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
const seen = JSON.parse(readFileSync(process.argv[1] + "/seen.json", "utf8"));
assert.ok(seen.names.includes("KEPT") && seen.names.includes("ARM_OWN") && !seen.names.includes("SECRET"));
assert.notEqual(seen.home, "/operator");`;
    const arms = [
      { name: "baseline", env: { ARM_OWN: "1" } },
      { name: "candidate", env: { ARM_OWN: "2" } },
    ];
    const tasks = [task("sees", { see: "seen.json" }, { oracle })];
    const manifest = writeManifest(scratch(), { repetitions: 1, passEnv: ["KEPT"], home: "fresh", arms, tasks });
    const { code, stdout } = await runMain(["run", manifest], { env: { KEPT: "1", SECRET: "s", HOME: "/operator" } });
    expect(code).toBe(0);
    expect(runsOf(stdout).map((run) => run.verified)).toEqual([true, true]);
    expect(stdout).not.toContain("KEPT");
  });

  test("the last line says how to compare, and how to see why where no attempt completed", async () => {
    const folder = scratch();
    const records = join(folder, "the runs.ndjson");
    const manifest = writeManifest(folder, { repetitions: 1 });
    const good = await runMain(["run", manifest, "-o", records]);
    expect(good.stderr).toMatch(
      /\n4 attempts recorded; compare them with: harness-eval compare '[^']*the runs.ndjson' baseline candidate\n$/,
    );
    const failing = writeManifest(folder, { repetitions: 1, tasks: [task("fails", { ...solve, exit: 1 })] });
    const bad = await runMain(["run", failing, "--quiet"]);
    expect(bad).toMatchObject({
      code: 0,
      stderr: `no attempt completed; to see why: harness-eval try ${failing} --task=fails --arm=baseline\n`,
    });
  });

  test("records how each attempt ended", async () => {
    const folder = scratch();
    const tasks = [
      task("exits-3", { ...solve, exit: 3 }),
      task("too-slow", { ...solve, hang: join(folder, "pid") }, { timeoutMs: 1000 }),
      task("reads-nothing", solve),
      task("leaves-a-daemon", { ...solve, daemon: join(folder, "daemon") }),
    ];
    const { code, stdout } = await runMain(["run", writeManifest(folder, { repetitions: 1, tasks })]);
    expect(code).toBe(0);
    const byTask = new Map(runsOf(stdout).map((run) => [run.taskID, run]));
    expect(byTask.get("exits-3")).toMatchObject({ outcome: "failed", verified: false, exitCode: 3 });
    expect(byTask.get("exits-3")).not.toHaveProperty("verificationMs");
    expect(byTask.get("too-slow")).toMatchObject({ outcome: "timeout", verified: false });
    expect(byTask.get("too-slow")?.elapsedMs).toBeGreaterThanOrEqual(1000);
    expect(byTask.get("reads-nothing")).toMatchObject({ outcome: "completed", verified: true, oracle: "passed" });
    expect(byTask.get("leaves-a-daemon")?.leftoverProcesses).toBeGreaterThanOrEqual(1);
  });

  test("adds up the events of the CLI", async () => {
    const tokens = { input: 80, output: 15, reasoning: 5, cache: { read: 40, write: 0 } };
    const print = [
      { type: "tool_use", part: { id: "t1", type: "tool", tool: "read", state: { status: "completed" } } },
      { type: "tool_use", part: { id: "t2", type: "tool", tool: "edit", state: { status: "error" } } },
      { type: "step_finish", part: { id: "s1", type: "step-finish", tokens } },
    ];
    const tasks = [task("prints", { ...solve, print }), task("garbles", { ...solve, print: [...print, "{oops"] })];
    const { stdout } = await runMain(["run", writeManifest(scratch(), { repetitions: 1, tasks })]);
    const [printed, , garbled] = runsOf(stdout);
    expect(printed).toMatchObject({
      metricsStatus: "observed",
      inputTokens: 80,
      cacheReadTokens: 40,
      toolCalls: 2,
      toolErrors: 1,
    });
    expect(garbled).toMatchObject({ metricsStatus: "partial", verified: true });
    expect(garbled).not.toHaveProperty("inputTokens");
  });

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
    const { code, stderr } = await runMain(["run", manifest, "--quiet"], { env: { IS_SET: "secret" } });
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
    const { code, stdout, stderr } = await runMain(["run", writeManifest(folder, { tasks })]);
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
    const { code, stdout, stderr } = await runMain(["run", writeManifest(folder, { tasks })]);
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
    const homeless = [
      task("set-up", {}, { setup: [["sh", "-c", 'test -z "$(ls -A "$HOME")" && touch "$HOME/used"']] }),
    ];
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

  test("a smoke run does what was asked and is marked incomplete", async () => {
    const folder = scratch();
    const records = join(folder, "smoke.ndjson");
    const argv = ["run", writeManifest(folder), "--task", "does-nothing", "--limit-blocks", "1", "--output", records];
    const { code, stderr } = await runMain(argv);
    expect(code).toBe(0);
    expect(stderr).toContain("a smoke run, marked incomplete");
    const text = readFileSync(records, "utf8");
    expect(runsOf(text).map((run) => run.taskID)).toEqual(["does-nothing", "does-nothing"]);
    expect(linesOf(text).at(-1)).toMatchObject({ comparison: null, incomplete: true });
    expect(linesOf(text)[0]).toMatchObject({ cohort: { whole: false } });
    const compared = await runMain(["compare", records, "baseline", "candidate"]);
    expect(compared).toMatchObject({ code: 2, stdout: "" });
    expect(compared.stderr).toMatch(/^[^\n]*: this is a smoke run, [^\n]*; run the whole cohort and compare that\n$/);
  });

  describe("a cohort that may end before its last block", () => {
    const tokens = (count: number) => ({
      type: "step_finish",
      part: {
        id: "1",
        type: "step-finish",
        tokens: { input: count, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      },
    });

    test("--max-tokens ends it with the block that reaches the limit, as incomplete", async () => {
      const tasks = [task("spends", { ...solve, print: [tokens(40)] })];
      const manifest = writeManifest(scratch(), { tasks, repetitions: 4 });
      const { code, stdout, stderr } = await runMain(["run", manifest, "--max-tokens", "100"]);
      expect(code).toBe(4);
      // A block uses 80: the second one reaches 100.
      expect(runsOf(stdout)).toHaveLength(4);
      expect(linesOf(stdout).at(-1)).toEqual({ type: "comparison", comparison: null, incomplete: true });
      expect(stderr).toContain("stopped: 160 tokens used of at most 100");
      const enough = await runMain(["run", manifest, "--max-tokens", "1000"]);
      expect(enough.code).toBe(0);
    });

    test("--max-cost says when a CLI does not state its cost", async () => {
      const { code, stderr } = await runMain(["run", writeManifest(scratch(), { repetitions: 1 }), "--max-cost", "5"]);
      expect(code).toBe(0);
      expect(stderr).toContain("warning: 4 attempts did not state what is limited");
    });

    test("--until-decided stops at whole tasks in an order that the seed draws, and compare agrees", async () => {
      // The candidate alone solves: nine tasks that all point one way are enough.
      const orders = { write: { "answer.txt": "right\n" } };
      const arms = [{ name: "baseline", command: ["true"] }, { name: "candidate" }];
      const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
      const manifest = writeManifest(scratch(), { arms, tasks: ids.map((id) => task(id, orders)), repetitions: 1 });
      const file = join(scratch(), "runs.ndjson");
      const argv = ["run", manifest, "--until-decided", "--seed", "7", "-o", file];
      const { code, stderr } = await runMain(argv);
      expect(code).toBe(0);
      const lines = linesOf(readFileSync(file, "utf8"));
      const [cohort] = lines.flatMap((line) => (line.type === "cohort" ? [line.cohort] : []));
      const [stop] = lines.flatMap((line) => (line.type === "stop" ? [line.stop] : []));
      expect(cohort?.untilDecided).toEqual({ alpha: 0.05, seed: 7 });
      expect(stop).toMatchObject({ reason: "decided", plannedBlocks: 12 });
      const done = stop?.completedBlocks ?? 0;
      expect(done).toBeLessThan(12);
      expect(stop?.eValue).toBeGreaterThanOrEqual(20);
      const ran = runsOf(readFileSync(file, "utf8")).map((run) => run.taskID);
      expect(new Set(ran).size).toBe(done);
      expect([...new Set(ran)]).not.toEqual(ids.slice(0, done));
      expect(stderr).toContain(`decided after ${done} of 12 blocks`);
      const compared = await runMain(["compare", file, "baseline", "candidate"]);
      const { inference } = JSON.parse(compared.stdout) as { inference: { success: Record<string, unknown> } };
      expect(inference.success.eValue).toBe(stop?.eValue);
      expect(inference).toMatchObject({
        sampling: "until-decided",
        verdict: { direction: "improved" },
        success: { difference: { interval: null } },
      });
    });

    test.each([
      [["--until-decided", "--limit-blocks", "2"], "--until-decided: cannot be combined"],
      [["--seed", "3"], "--seed: draws the order of --until-decided alone"],
      [["--until-decided", "--seed", "1.5"], "--seed: must be a whole number below 2^32 (found 1.5)"],
      [["--max-tokens", "0"], "--max-tokens: must be a whole number of 1 or more (found 0)"],
      [["--max-cost", "-1"], "--max-cost"],
    ])("%j is refused", async (options, words) => {
      const { code, stdout, stderr } = await runMain(["run", writeManifest(scratch()), ...options]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(words);
    });
  });

  test("bad options and an output file that is there are refused before anything runs", async () => {
    const folder = scratch();
    const manifest = writeManifest(folder);
    const there = join(folder, "there.ndjson");
    writeFileSync(there, "precious\n");
    for (const [argv, said] of [
      [["run", manifest, "--output", there], "the file is there already"],
      [["run", manifest, "--task", "none"], "no such task"],
      [["run", manifest, "--limit-blocks", "0"], "--limit-blocks"],
      [
        ["run", manifest, "--limit-blocks", "many"],
        '--limit-blocks: must be a whole number of 1 or more (found "many")',
      ],
      [["run", manifest, "--limit-blocks"], "Not enough arguments following: limit-blocks"],
      [["run", manifest, "--output", join(folder, "none", "runs.ndjson")], "its folder is not there"],
      [["run", manifest, "--limt-blocks", "1"], "Unknown: --limt-blocks; see harness-eval run --help\n"],
      [["run"], "Not enough for: run <manifest>; see harness-eval run --help"],
      [["compare", "r", "a", "b", "--format", "xml"], '--format: "xml" is none of json, table, markdown; see'],
      [["compare", "r", "a", "b", "--margin", "x"], '--margin: must be a number from 0 to 1 (found "x")'],
      [["rnu"], 'there is no such command (found "rnu"); the commands are run, try, compare'],
      [[], "no command is given; the commands are run, try, compare"],
      [["run", join(folder, "none.json")], "none.json"],
    ] as const) {
      const ended = await runMain([...argv]);
      expect({ argv, code: ended.code, stdout: ended.stdout }).toEqual({ argv, code: 2, stdout: "" });
      expect(ended.stderr).toContain(said);
      expect(ended.stderr).not.toMatch(/\n\s+at /);
    }
    expect(readFileSync(there, "utf8")).toBe("precious\n");
  });

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

  test("the documented manifest helper holds documented fields only", () => {
    const names = ["model", "runtimeRevision", "command", "repetitions", "timeoutMs", "arms", "tasks"];
    expect(Object.keys(documentedManifest()).sort()).toEqual(names.sort());
  });
});
