import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findExecutable } from "../../src/process/executable.ts";
import { runProcess } from "../../src/process/run.ts";
import type { ProcessSpec } from "../../src/process/process.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "run-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? "" };

async function run(argv: string[], changes: Partial<ProcessSpec> = {}) {
  const chunks: Uint8Array[] = [];
  const onOutput = (chunk: Uint8Array): void => void chunks.push(chunk);
  const end = await runProcess({ argv, cwd: folder, env, timeoutMs: 30_000, onOutput, ...changes });
  return { ...end, output: Buffer.concat(chunks).toString("utf8") };
}

test("tells exit codes and signals apart", async () => {
  expect(await run(["sh", "-c", "exit 7"])).toMatchObject({ exitCode: 7, signal: null, spawnError: null });
  expect(await run(["sh", "-c", "kill -KILL $$"])).toMatchObject({ exitCode: null, signal: "SIGKILL" });
});

test("a program that cannot be started is a fact, not an exception", async () => {
  writeFileSync(join(folder, "plain"), "text");
  // A folder of PATH that this user may not enter would make it EACCES.
  const plainPath = { env: { PATH: "/usr/bin:/bin" } };
  expect(await run(["no-such-program"], plainPath)).toMatchObject({ spawnError: "ENOENT", exitCode: null, gone: true });
  expect(await run([join(folder, "plain")])).toMatchObject({ spawnError: "EACCES" });
  expect(await run([join(folder, "plain", "below")])).toMatchObject({ spawnError: "ENOTDIR" });
  expect(await run(["true", "x".repeat(3_000_000)])).toMatchObject({ spawnError: "E2BIG" });
  expect(await run(["true"], { cwd: join(folder, "none") })).toMatchObject({ spawnError: "ENOENT" });
  expect(await run([""])).toMatchObject({ spawnError: expect.any(String) as string });
  expect(await run(["true", "nul\0"])).toMatchObject({ spawnError: "EINVAL" });
});

test("arguments arrive unchanged", async () => {
  const odd = ["-x", "--", "a b", `"'\``, "$HOME $(id)", "line\nline\r\n", "😀 ü \u2028", "", "*", "\\"];
  const { output } = await run([
    process.execPath,
    "-e",
    "console.log(JSON.stringify(process.argv.slice(1)))",
    "--",
    ...odd,
  ]);
  expect(JSON.parse(output)).toEqual(odd);
});

test("the environment is the given one and a marker; standard input is at its end; no descriptor is inherited", async () => {
  const { output } = await run(["sh", "-c", 'env; echo; cat; for fd in /proc/$$/fd/*; do echo "${fd##*/}"; done']);
  const [variables = "", descriptors] = output.split("\n\n");
  const names = variables.split("\n").map((line) => line.split("=")[0] ?? "");
  // The shell adds PWD and the like to what it was given.
  expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)).sort()).toEqual([
    "HARNESS_EVAL_PROCESS_TREE",
    "PATH",
  ]);
  // What the shell that started these tests left open is not ours to close, so a bare start is the measure.
  const list = 'for fd in /proc/$$/fd/*; do echo "${fd##*/}"; done';
  const bare = execFileSync("sh", ["-c", list], { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" });
  expect(descriptors).toBe(bare);
});

test("descriptor 3 brings the input, descriptor 4 takes a bounded answer", async () => {
  const text = "ü".repeat(100_000);
  const end = await run(["sh", "-c", "cat <&3 | wc -c; printf 0123456789 >&4"], { input: text, resultBytes: 4 });
  expect(end.output.trim()).toBe("200000");
  expect(Buffer.from(end.result).toString()).toBe("0123");
  const deaf = await run(["true"], { input: "x".repeat(10_000_000), resultBytes: 10 });
  expect(deaf).toMatchObject({ exitCode: 0, gone: true });
});

test("all that a program wrote before its end arrives, also when a daemon holds the pipe", async () => {
  const end = await run(["sh", "-c", "setsid sleep 60 & seq 200000; exit 3"]);
  expect(end).toMatchObject({ exitCode: 3, outputWhole: true });
  expect(end.output.split("\n")).toHaveLength(200_001);
});

test("a time-out records what the clock read", async () => {
  const end = await run(["sleep", "60"], { timeoutMs: 300 });
  expect(end).toMatchObject({ timedOut: true, cancelled: false, exitCode: null, signal: "SIGTERM" });
  expect(end.elapsedMs).toBeGreaterThanOrEqual(300);
});

test("nothing is started once cancelled; the longest time-out is no time-out at once", async () => {
  const marker = join(folder, "started");
  expect(await run(["touch", marker], { signal: AbortSignal.abort() })).toMatchObject({ cancelled: true });
  expect(readdirSync(folder)).toEqual([]);
  expect(await run(["true"], { timeoutMs: 86_400_000 })).toMatchObject({ exitCode: 0, timedOut: false });
});

test("a program that writes without end can be cancelled", async () => {
  const abort = new AbortController();
  let bytes = 0;
  const end = await run(["yes"], {
    signal: abort.signal,
    onOutput(chunk) {
      bytes += chunk.length;
      if (bytes > 10_000_000) abort.abort();
    },
  });
  expect(end).toMatchObject({ cancelled: true, timedOut: false, signal: "SIGTERM", gone: true });
});

test("a program that ignores SIGTERM is killed", async () => {
  const end = await run(["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"], { timeoutMs: 300 });
  expect(end).toMatchObject({ timedOut: true, exitCode: null, signal: "SIGKILL", gone: true });
});

test("what the receiver of the output throws comes out, once the program is gone", async () => {
  const pidFile = join(folder, "pid");
  const onOutput = (): void => {
    throw new RangeError("receiver");
  };
  await expect(run(["sh", "-c", `echo $$ > ${pidFile}; yes`], { onOutput })).rejects.toThrow(RangeError);
  const pid = Number(readFileSync(pidFile, "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test.each([
  ["lines", `yes '{"type":"text","text":"${"x".repeat(80)}"}' | head -c 500000000`, { bytes: 500_000_000, damaged: 0 }],
  ["a line of 50 MB", "head -c 50000000 /dev/zero; echo; echo next", { bytes: 50_000_006, lines: 1, damaged: 1 }],
])("reads much output in bounded memory: %s", (_name, script, expected) => {
  const program = join(import.meta.dirname, "..", "programs", "read-much-output.ts");
  const options = { cwd: join(import.meta.dirname, "../.."), encoding: "utf8" } as const;
  const printed = execFileSync(process.execPath, ["--import", "tsx", program, script, folder], options);
  const seen = JSON.parse(printed) as { residentBytes: number };
  expect(seen).toMatchObject({ ...expected, outputWhole: true, exitCode: 0 });
  expect(seen.residentBytes).toBeLessThan(200_000_000);
});

test("finds a program as a shell would", async () => {
  writeFileSync(join(folder, "tool"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(folder, "text"), "", { mode: 0o644 });
  const path = { PATH: `/none:${folder}` };
  expect(await findExecutable("tool", path)).toBe(join(folder, "tool"));
  expect(await findExecutable("text", path)).toBeNull();
  expect(await findExecutable("tool", { PATH: "/none" })).toBeNull();
  expect(await findExecutable(join(folder, "tool"), {})).toBe(join(folder, "tool"));
  expect(await findExecutable(folder, {})).toBeNull();
  expect(await findExecutable("sh", {})).toMatch(/^(\/usr)?\/bin\/sh$/);
  // A relative folder would be looked up in each workspace anew.
  expect(await findExecutable("tool", { PATH: `:.:${relative(process.cwd(), folder)}` })).toBeNull();
});
