import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentedManifest, linesOf, runMain, runsOf, scratch, task, writeManifest } from "./program.ts";

const solve = { write: { "answer.txt": "right\n" } };

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
    const ran = await runMain(["run", writeManifest(folder), "--contain=processes", "--output", records, "--quiet"]);
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
    const oracle = `import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
const root = process.argv[1];
const seen = JSON.parse(readFileSync(root + "/seen.json", "utf8"));
const dir = seen.argv[seen.argv.indexOf("--dir") + 1];
assert.notEqual(dir, root);
assert.match(dir, /^[/].+[/]workspace$/);
assert.equal(seen.cwd, dir);
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
    const bad = await runMain(["run", failing, "--contain=processes", "--quiet"]);
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

  test("the documented manifest helper holds documented fields only", () => {
    const names = ["model", "runtimeRevision", "command", "repetitions", "timeoutMs", "arms", "tasks"];
    expect(Object.keys(documentedManifest()).sort()).toEqual(names.sort());
  });
});
