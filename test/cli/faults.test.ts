import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linesOf, runMain, runsOf, scratch, task, writeManifest } from "./program.ts";

const status = (statusCode: number) =>
  JSON.stringify({
    type: "error",
    sessionID: "s",
    error: { name: "APIError", data: { message: "secret words", statusCode } },
  });

/** An agent that meets a provider's status as often as said, and works from then on. */
function unluckyAgent(folder: string, times: number, statusCode = 429): string[] {
  const script = `state=${join(folder, "met")}; met=$(wc -c < "$state" 2>/dev/null || echo 0)
if [ "$met" -lt ${times} ]; then printf x >> "$state"; echo '${status(statusCode)}'; exit 1; fi
echo right > answer.txt`;
  return ["sh", "-c", script];
}

async function runWith(times: number, ...options: string[]) {
  const folder = scratch();
  const file = join(folder, "runs.ndjson");
  const command = [...unluckyAgent(folder, times), "agent"];
  const manifest = writeManifest(folder, { tasks: [task("only", {})], command, repetitions: 3 });
  const ended = await runMain(["run", manifest, "-o", file, ...options]);
  return { ...ended, folder, file, manifest, lines: existsSync(file) ? linesOf(readFileSync(file, "utf8")) : [] };
}

test("a fault is recorded from facts alone, and changes no outcome", async () => {
  const { code, lines, file } = await runWith(1);
  expect(code).toBe(0);
  const runs = lines.flatMap((line) => (line.type === "run" ? [line.run] : []));
  expect(runs.map((run) => run.fault)).toEqual(["provider:429", ...Array<undefined>(5).fill(undefined)]);
  expect(runs[0]).toMatchObject({ outcome: "failed", verified: false });
  expect(readFileSync(file, "utf8")).not.toContain("secret");
  const { stdout } = await runMain(["compare", file, "baseline", "candidate"]);
  expect(stdout).toContain(
    "Attempts with a fault, those set aside included: baseline provider:429 1; candidate none; they differ",
  );
});

test("a request that was wrong is no fault, nor is an error after which the CLI went on", async () => {
  const folder = scratch();
  const fail = (code: number, exit: number) => ["sh", "-c", `echo '${status(code)}'; exit ${exit}`];
  const arms = [
    { name: "baseline", command: fail(400, 1) },
    { name: "candidate", command: fail(503, 0) },
  ];
  const { stdout } = await runMain(["run", writeManifest(folder, { tasks: [task("only", {})], arms, repetitions: 1 })]);
  expect(runsOf(stdout).map((run) => [run.outcome, run.fault])).toEqual([
    ["failed", undefined],
    ["completed", undefined],
  ]);
});

test("an oracle that hangs on what the agent left is a fault of the oracle", async () => {
  const oracle = `import fs from "node:fs";
if (fs.readFileSync(process.argv[1] + "/answer.txt", "utf8") !== "right\\n") process.exit(1);
setInterval(() => {}, 1000);`;
  const tasks = [task("only", { write: { "answer.txt": "right\n" } }, { oracle, oracleTimeoutMs: 1500 })];
  const { stdout } = await runMain(["run", writeManifest(scratch(), { tasks, repetitions: 1 })]);
  expect(runsOf(stdout).map((run) => [run.verified, run.oracle, run.fault])).toEqual([
    [false, "timeout", "oracle:timeout"],
    [false, "timeout", "oracle:timeout"],
  ]);
});

describe("--retry-faults", () => {
  test("sets the whole block aside and runs both arms again", async () => {
    const { code, lines, file } = await runWith(1, "--retry-faults", "1");
    expect(code).toBe(0);
    expect(lines.map(({ type }) => type)).toEqual([
      "cohort",
      "run",
      "run",
      "void",
      ...Array<string>(6).fill("run"),
      "comparison",
    ]);
    expect(lines[3]).toMatchObject({ void: { taskID: "only", repetition: 0, attempt: 0, reason: "provider:429" } });
    const runs = lines.flatMap((line) => (line.type === "run" ? [line.run] : []));
    expect(runs.slice(2, 4).map((run) => [run.repetition, run.attempt, run.verified])).toEqual([
      [0, 1, true],
      [0, 1, true],
    ]);
    const { code: compared, stdout } = await runMain(["compare", file, "baseline", "candidate"]);
    expect(compared).toBe(0);
    const { pairs, sensitivity } = JSON.parse(stdout) as {
      pairs: unknown;
      sensitivity: { analysis: string; pairs: number }[];
    };
    expect(pairs).toEqual({ both: 3, baselineOnly: 0, candidateOnly: 0, neither: 0 });
    expect(sensitivity.find(({ analysis }) => analysis === "voided-as-failures")?.pairs).toBe(4);
  });

  test("gives up after so many, and the last occasion stands", async () => {
    const { code, lines } = await runWith(99, "--retry-faults", "2");
    expect(code).toBe(0);
    expect(lines.filter(({ type }) => type === "void")).toHaveLength(6);
    expect(lines.filter(({ type }) => type === "run")).toHaveLength(18);
  });

  test("a run on standard output ends with a comparison too", async () => {
    const folder = scratch();
    const command = [...unluckyAgent(folder, 1), "agent"];
    const manifest = writeManifest(folder, { tasks: [task("only", {})], command, repetitions: 1 });
    const { code, stdout } = await runMain(["run", manifest, "--retry-faults", "3"]);
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatchObject({ incomplete: false, comparison: { pairs: { both: 1 } } });
  });
});

test("--max-faults ends a cohort whose provider is down, and --resume goes on", async () => {
  const { code, lines, stderr, manifest, file, folder } = await runWith(3, "--max-faults", "2");
  expect(code).toBe(4);
  expect(stderr).toContain("stopped: 2 attempts with a fault, of at most 2");
  expect(lines.filter(({ type }) => type === "run")).toHaveLength(2);
  expect(folder).not.toBe("");
  const again = await runMain(["run", manifest, "-o", file, "--resume", "--max-faults", "2"]);
  expect(again.code).toBe(0);
});
