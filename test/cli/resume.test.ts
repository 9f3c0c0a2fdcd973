import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { seededGenerator } from "../../src/statistics/generator.ts";
import { builtProgram } from "./build.ts";
import {
  entriesOf,
  isAlive,
  linesOf,
  poll,
  runMain,
  runsOf,
  scratch,
  startEntry,
  task,
  writeManifest,
} from "./program.ts";

const entry = builtProgram("resume-test");
const solve = { write: { "answer.txt": "right\n" } };
const ids = ["a", "b", "c", "d"];

/** Four tasks of two repetitions: eight blocks. */
function cohort(changes: Record<string, unknown> = {}) {
  const folder = scratch();
  const tasks = ids.map((id, index) => task(id, index % 2 === 0 ? solve : {}));
  return { folder, file: join(folder, "runs.ndjson"), manifest: writeManifest(folder, { tasks, ...changes }) };
}

function partsOf(file: string) {
  const lines = linesOf(readFileSync(file, "utf8"));
  const voids = new Set(
    lines.flatMap((line) =>
      line.type === "void" ? [`${line.void.taskID} ${line.void.repetition} ${line.void.attempt}`] : [],
    ),
  );
  const runs = lines.flatMap((line) => (line.type === "run" ? [line.run] : []));
  const standing = runs.filter((run) => !voids.has(`${run.taskID} ${run.repetition} ${run.attempt ?? 0}`));
  return { lines, runs, voids, standing };
}

/** The comparison without what a second run of the same thing changes: times and how often blocks were begun. */
function comparable(stdout: string): unknown {
  const hidden = /elapsed|latency|ratio|warnings|reasons|sensitivity/i;
  return JSON.parse(stdout, (key, value: unknown) => (hidden.test(key) ? undefined : value));
}

test("a cohort cut anywhere ends with exactly the planned pairs: 50 kills of the runner itself", async () => {
  const repetitions = 20;
  const tasks = [task("a", {}), task("b", {})];
  // A shell starts ten times as fast as Node.
  const arms = [{ name: "baseline" }, { name: "candidate", command: ["sh", "-c", "echo right > answer.txt"] }];
  const { folder, file, manifest } = cohort({ tasks, repetitions, command: ["true"], arms });
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const random = seededGenerator(4);
  let kills = 0;
  let finished = 0;
  // Every round is a cohort of its own, killed again and again until it is complete.
  for (let round = 0; kills < 50; round++) {
    const records = `${file}.${round}`;
    for (;;) {
      const { child, ended } = startEntry(
        [entry],
        ["run", manifest, "--output", records, "--resume", "--quiet"],
        temporary,
      );
      const timer = kills < 50 ? setTimeout(() => child.kill("SIGKILL"), 350 + random() * 800) : undefined;
      const { code, signal, stderr } = await ended;
      clearTimeout(timer);
      if (signal === "SIGKILL") kills++;
      else expect({ code, stderr: stderr.replace(/^warning: .*\n/gm, "") }).toEqual({ code: 0, stderr: "" });
      if (signal !== "SIGKILL") break;
      // A loss of power may tear the last line as well.
      if (existsSync(records) && random() < 0.3)
        truncateSync(records, Math.max(0, statSync(records).size - Math.floor(random() * 40)));
    }
    const { standing, lines } = partsOf(records);
    const blocks = standing.map((run) => `${run.taskID} ${run.repetition} ${run.arm}`).sort();
    const planned = ["a", "b"].flatMap((id) =>
      Array.from({ length: repetitions }, (_, repetition) => `${id} ${repetition}`),
    );
    expect(blocks).toEqual(planned.flatMap((block) => [`${block} baseline`, `${block} candidate`]).sort());
    for (const block of planned) {
      const pair = standing.filter((run) => `${run.taskID} ${run.repetition}` === block);
      expect(new Set(pair.map((run) => run.attempt)).size).toBe(1);
    }
    expect(lines.at(-1)).toMatchObject({ type: "comparison", incomplete: false });
    expect(entriesOf(temporary)).toEqual([]);
    finished++;
  }
  const whole = join(folder, "whole.ndjson");
  await runMain(["run", manifest, "-o", whole, "--quiet"]);
  const compared = async (path: string) =>
    comparable((await runMain(["compare", path, "baseline", "candidate"])).stdout);
  expect(await compared(`${file}.0`)).toEqual(await compared(whole));
  console.log(`${kills} kills in ${finished} cohorts, every planned pair there once`);
}, 400_000);

describe("run --resume", () => {
  test("goes on after an interruption, sets the half block aside, and leaves what was written as it was", async () => {
    const { file, manifest } = cohort();
    await runMain(["run", manifest, "-o", file, "--quiet"]);
    const all = readFileSync(file, "utf8").split("\n");
    // The cohort line, two blocks and half of a third.
    writeFileSync(file, `${all.slice(0, 6).join("\n")}\n`);
    const before = readFileSync(file, "utf8");
    const { code, stderr } = await runMain(["run", manifest, "-o", file, "--resume"]);
    expect(code).toBe(0);
    expect(stderr).toContain("12 attempts recorded");
    expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
    const { standing, voids, lines } = partsOf(file);
    expect([...voids]).toEqual(["b 0 0"]);
    expect(standing).toHaveLength(16);
    expect(standing.filter((run) => run.taskID === "b" && run.repetition === 0).map((run) => run.attempt)).toEqual([
      1, 1,
    ]);
    expect(lines.filter((line) => line.type === "cohort")).toHaveLength(2);
    const { code: compared, stdout } = await runMain(["compare", file, "baseline", "candidate"]);
    expect(compared).toBe(0);
    expect(stdout).toContain("occasions-voided");
    // Once more: there is nothing to do, and nothing is written.
    const finished = readFileSync(file, "utf8");
    const again = await runMain(["run", manifest, "-o", file, "--resume"]);
    expect(again).toMatchObject({ code: 0, stderr: "nothing is left to do: all records are there\n" });
    expect(readFileSync(file, "utf8")).toBe(finished);
  });

  test("starts a file that is not there, and one that is empty", async () => {
    const { file, manifest } = cohort();
    writeFileSync(file, "");
    expect((await runMain(["run", manifest, "-o", file, "--resume", "--quiet"])).code).toBe(0);
    expect((await runMain(["run", manifest, "-o", `${file}.new`, "--resume", "--quiet"])).code).toBe(0);
    expect(runsOf(readFileSync(`${file}.new`, "utf8"))).toHaveLength(16);
  });

  test.each([
    ["a line without its end", '{"type":"run","run":{"taskID":"b"'],
    ["blocks of NUL", "\0".repeat(5000)],
    ["blocks of NUL with a line end", `${"\0".repeat(70_000)}\n`],
  ])("cuts off %s, and says so", async (_, torn) => {
    const { file, manifest } = cohort();
    await runMain(["run", manifest, "-o", file, "--quiet"]);
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${lines.slice(0, 5).join("\n")}\n`);
    appendFileSync(file, torn);
    const { code, stderr } = await runMain(["run", manifest, "-o", file, "--resume"]);
    expect(code).toBe(0);
    expect(stderr).toContain(`${torn.length} bytes of it were removed`);
    expect(partsOf(file).standing).toHaveLength(16);
  });

  test("refuses records of another cohort, damage in the middle, and a missing --output", async () => {
    const { file, manifest } = cohort();
    await runMain(["run", manifest, "-o", file, "--quiet"]);
    const other = writeManifest(scratch(), { tasks: [task("a", solve)], runtimeRevision: "another" });
    const foreign = await runMain(["run", other, "-o", file, "--resume"]);
    expect(foreign.code).toBe(2);
    expect(foreign.stderr).toContain("runs.ndjson:1: belongs to another cohort");
    const lines = readFileSync(file, "utf8").split("\n");
    const damaged = [...lines.slice(0, 2), "{", ...lines.slice(2)].join("\n");
    writeFileSync(file, damaged);
    const broken = await runMain(["run", manifest, "-o", file, "--resume"]);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain("runs.ndjson:3");
    expect(readFileSync(file, "utf8")).toBe(damaged);
    // A void line of another cohort would set aside here what it does not set aside for a comparison.
    const foreignVoid = { type: "void", void: { taskID: "a", repetition: 0, attempt: 0, cohort: "x", reason: "r" } };
    writeFileSync(file, `${lines.slice(0, 3).join("\n")}\n${JSON.stringify(foreignVoid)}\n`);
    expect((await runMain(["run", manifest, "-o", file, "--resume"])).stderr).toContain(
      "runs.ndjson:4: belongs to another cohort",
    );
    const device = await runMain(["run", manifest, "-o", "/dev/null", "--resume"]);
    expect(device).toMatchObject({ code: 2, stdout: "" });
    expect(device.stderr).toContain("--output: is not a regular file");
    const nowhere = await runMain(["run", manifest, "--resume"]);
    expect(nowhere.stderr).toContain("--resume: needs --output");
  });

  test("a smoke run becomes the whole cohort", async () => {
    const { file, manifest } = cohort();
    await runMain(["run", manifest, "-o", file, "--quiet", "--limit-blocks", "2"]);
    expect((await runMain(["run", manifest, "-o", file, "--resume", "--quiet"])).code).toBe(0);
    expect((await runMain(["compare", file, "baseline", "candidate"])).code).toBe(0);
    expect(partsOf(file).standing).toHaveLength(16);
  });

  test("a budget counts what earlier occasions used, and a larger one goes on", async () => {
    const step = {
      type: "step_finish",
      part: {
        id: "1",
        type: "step-finish",
        tokens: { input: 10, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      },
    };
    const tasks = [task("spends", { ...solve, print: [step] })];
    const { file, manifest } = cohort({ tasks, repetitions: 4 });
    expect((await runMain(["run", manifest, "-o", file, "--quiet", "--max-tokens", "40"])).code).toBe(4);
    expect(partsOf(file).standing).toHaveLength(4);
    const stuck = await runMain(["run", manifest, "-o", file, "--resume", "--max-tokens", "40"]);
    expect(stuck.code).toBe(4);
    expect(stuck.stderr).toContain("40 tokens used of at most 40");
    expect((await runMain(["run", manifest, "-o", file, "--resume", "--quiet", "--max-tokens", "400"])).code).toBe(0);
    expect(partsOf(file).standing).toHaveLength(8);
  });

  test("a cohort that may stop keeps its seed and its evidence", async () => {
    const many = Array.from({ length: 12 }, (_, index) => task(`t${index}`, solve));
    const arms = [{ name: "baseline", command: ["true"] }, { name: "candidate" }];
    const { file, manifest } = cohort({ tasks: many, arms, repetitions: 1 });
    await runMain(["run", manifest, "-o", file, "--quiet", "--until-decided", "--seed", "7"]);
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${lines.slice(0, 8).join("\n")}\n`);
    const other = await runMain(["run", manifest, "-o", file, "--resume", "--until-decided", "--seed", "8"]);
    expect(other.stderr).toContain("--until-decided: the cohort began with seed 7; leave --seed out");
    expect((await runMain(["run", manifest, "-o", file, "--resume", "--quiet"])).code).toBe(0);
    const { lines: all, standing } = partsOf(file);
    const stop = all.find((line) => line.type === "stop");
    expect(stop).toMatchObject({ stop: { completedBlocks: standing.length / 2 } });
    const tasksRun = [...new Set(standing.map((run) => run.taskID))];
    const whole = [...new Set(runsOf(lines.join("\n")).map((run) => run.taskID))];
    expect(tasksRun).toEqual(whole);
    expect((await runMain(["compare", file, "baseline", "candidate"])).code).toBe(0);
  });
});

test("a second run on the same file is refused while the first is there, even while it sleeps", async () => {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const pidFile = join(folder, "pid");
  const manifest = writeManifest(folder, { tasks: [task("hangs", { hang: pidFile })] });
  const file = join(folder, "runs.ndjson");
  const { child, ended } = startEntry([entry], ["run", manifest, "-o", file], temporary);
  await poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", "the agent to hang");
  child.kill("SIGSTOP");
  await sleep(100);
  const before = readFileSync(file, "utf8");
  const { code, stderr } = await runMain(["run", manifest, "-o", file, "--resume"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^--output: another run is writing to this file .*; wait for its end, or name another file\n$/,
  );
  expect(readFileSync(file, "utf8")).toBe(before);
  child.kill("SIGCONT");
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
});

test("what a killed run left is cleared away at the next start, and nothing of a living one", async () => {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const start = async (name: string) => {
    const pidFile = join(folder, `${name}.pid`);
    const own = join(folder, name);
    mkdirSync(own);
    const manifest = writeManifest(own, { tasks: [task("hangs", { hang: pidFile })] });
    const started = startEntry([entry], ["run", manifest, "-o", join(own, "runs.ndjson")], temporary);
    await poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", "the agent to hang");
    return { ...started, agent: Number(readFileSync(pidFile, "utf8")) };
  };
  const living = await start("living");
  const dead = await start("dead");
  const foldersOfBoth = entriesOf(temporary).length;
  dead.child.kill("SIGKILL");
  await dead.ended;
  expect(isAlive(dead.agent)).toBe(true);
  const { manifest } = cohort({ repetitions: 1 });
  const next = await startEntry([entry], ["run", manifest], temporary).ended;
  expect(next.code).toBe(0);
  expect(next.stderr).toMatch(
    /warning: Runs that were killed had left \d+ processes and 2 temporary folders; they are gone now\./,
  );
  expect(isAlive(dead.agent)).toBe(false);
  expect(isAlive(living.agent)).toBe(true);
  expect(entriesOf(temporary)).toHaveLength(foldersOfBoth / 2);
  living.child.kill("SIGINT");
  expect((await living.ended).code).toBe(130);
  expect(entriesOf(temporary)).toEqual([]);
}, 60_000);

const namespaces = ["--user", "--map-root-user", "--mount"];
/** Machines that let no user mount anything have no small disk to fill up. */
const canMount = spawnSync("unshare", [...namespaces, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

test.skipIf(!canMount)(
  "a full disk loses the line that did not fit, and nothing else",
  async () => {
    const { folder, manifest } = cohort();
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const shell = (line: string) =>
      new Promise<string>((resolve) => {
        const child = spawn("unshare", [...namespaces, "sh", "-c", line], {
          stdio: ["ignore", "pipe", "pipe"],
        });
        let text = "";
        child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
        child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
        child.on("close", () => resolve(text));
      });
    const program = `"${process.execPath}" "${entry}" run "${manifest}" --output "${disk}/runs.ndjson" --resume --quiet`;
    const lines = [
      `mount -t tmpfs -o size=16k tmpfs "${disk}" || { echo "no mount"; exit; }`,
      `dd if=/dev/zero of="${disk}/filler" bs=1k count=8 2>/dev/null`,
      `${program}; echo "first $?"`,
      `rm "${disk}/filler"; mount -o remount,size=1m "${disk}"`,
      `${program}; echo "second $?"`,
      `cat "${disk}/runs.ndjson" > "${folder}/kept.ndjson"`,
    ];
    const text = await shell(lines.join("\n"));
    expect(text).toContain("records cannot be written (ENOSPC)");
    expect(text).toContain("first 4");
    expect(text).toContain("second 0");
    expect(text).not.toContain("was cut off");
    expect(partsOf(join(folder, "kept.ndjson")).standing).toHaveLength(16);
  },
  60_000,
);
