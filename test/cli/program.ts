import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { RecordLine } from "../../src/record/schema.ts";

export const repository = fileURLToPath(new URL("../../", import.meta.url));
export const standInCli = join(repository, "test/programs/stand-in-cli.mjs");

class Collected extends Writable {
  text = "";
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The program in this process. */
export async function runMain(argv: string[], options: { env?: Record<string, string> } = {}): Promise<Ended> {
  const stdout = new Collected();
  const stderr = new Collected();
  const code = await main(argv, {
    env: { ...(process.env as Record<string, string>), ...options.env },
    platform: process.platform,
    nodeVersion: process.version,
    stdout,
    stderr,
    closeInherited: () => undefined,
    interruption: new AbortController().signal,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** The program as a process of its own, its temporary folders under `temporary`. */
export function startProgram(
  argv: string[],
  temporary: string,
): { child: ChildProcess; ended: Promise<Ended & { signal: string | null }> } {
  return startEntry(["--import", "tsx", join(repository, "script/harness-eval.ts")], argv, temporary);
}

/** The same from any entry: Node's own arguments, then the script. */
export function startEntry(entry: string[], argv: string[], temporary: string): ReturnType<typeof startProgram> {
  const child = spawn(process.execPath, [...entry, ...argv], {
    cwd: repository,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const ended = new Promise<Ended & { signal: string | null }>((resolve) =>
    child.on("close", (code, signal) => resolve({ code: code ?? -1, signal, stdout, stderr })),
  );
  return { child, ended };
}

/** A folder that is gone after the test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "scratch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function linesOf(stdout: string): RecordLine[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordLine);
}

export function runsOf(stdout: string) {
  return linesOf(stdout).flatMap((line) => (line.type === "run" ? [line.run] : []));
}

/** Writes a manifest whose agent is the stand-in CLI, doing the same orders in each task. */
export function writeManifest(folder: string, changes: Record<string, unknown> = {}): string {
  const path = join(folder, "manifest.json");
  writeFileSync(path, JSON.stringify({ ...documentedManifest(), ...changes }));
  return path;
}

export function task(id: string, orders: Record<string, unknown>, changes: Record<string, unknown> = {}) {
  return {
    id,
    prompt: `- please\n${JSON.stringify(orders)}`,
    files: [{ path: "answer.txt", content: "wrong\n" }],
    oracle: `import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
assert.equal(readFileSync(process.argv[1] + "/answer.txt", "utf8"), "right\\n");`,
    ...changes,
  };
}

/** Only what the documented format has. */
export function documentedManifest() {
  return {
    model: "scripted/model",
    runtimeRevision: "stand-in",
    command: [process.execPath, standInCli],
    repetitions: 2,
    timeoutMs: 30_000,
    arms: [{ name: "baseline" }, { name: "candidate", features: { context_recovery: true } }],
    tasks: [task("solves", { write: { "answer.txt": "right\n" } }), task("does-nothing", {})],
  };
}

export async function poll(condition: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !condition(); waited += 20) {
    if (waited > 30_000) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether a process is there and not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

export function entriesOf(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith("tsx-") && !name.startsWith("node-compile-cache"));
}
