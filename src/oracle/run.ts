import { randomBytes } from "node:crypto";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ProcessEnd } from "../process/process.ts";
import { runProcess } from "../process/run.ts";
import type { Sandbox } from "../process/sandbox.ts";
import type { OracleRun, OracleVerdict } from "./verdict.ts";

export interface OracleInput {
  /** JavaScript source of an ES module. */
  source: string;
  /** Absolute path of the work tree to judge: the oracle's `process.argv[1]`. */
  workspace: string;
  timeoutMs: number;
  /** An empty folder outside the workspace: working directory, HOME and TMPDIR of the oracle. */
  folder: string;
  /** `PATH` of the oracle. */
  path: string;
  signal?: AbortSignal;
  sandbox?: Sandbox;
}

const bootstrap = fileURLToPath(new URL("./bootstrap.cjs", import.meta.url));
const testReporter = new URL("./test-reporter.mjs", import.meta.url).href;
const nodeArguments = ["--experimental-vm-modules", "--no-warnings", "--unhandled-rejections=strict"];
const reporterArguments = [`--test-reporter=${testReporter}`, "--test-reporter-destination=stdout"];

const nonceBytes = 32;
const unparsableExit = 97;
/** First byte of the answer: the source is parsed and linked, and now runs. */
const started = 0x53;
/** First byte of the answer: it is not. */
const unparsable = 0x55;

/** Runs an oracle on a workspace. The source reaches Node on a descriptor: it is in no argument, file or variable. */
export async function runOracle(input: OracleInput): Promise<OracleRun> {
  const { source, workspace, timeoutMs, folder, path, signal, sandbox } = input;
  const nonce = randomBytes(nonceBytes);
  const end = await runProcess({
    argv: [
      process.execPath,
      ...nodeArguments,
      ...(source.includes("node:test") ? reporterArguments : []),
      bootstrap,
      workspace,
    ],
    cwd: folder,
    env: { PATH: path, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8", TZ: "UTC" },
    timeoutMs,
    signal,
    sandbox,
    input: Buffer.concat([nonce, Buffer.from(source)]),
    // One more than the answer, so that anything written besides spoils it.
    resultBytes: 1 + nonceBytes + 1,
  });
  return { verdict: verdictOf(end, nonce, timeoutMs), elapsedMs: end.elapsedMs };
}

function verdictOf(end: ProcessEnd, nonce: Uint8Array, timeoutMs: number): OracleVerdict {
  const { exitCode } = end;
  const answer = Buffer.from(end.result);
  if (end.cancelled) return { kind: "cancelled" };
  if (end.timedOut) return { kind: "timeout", timeoutMs };
  if (end.spawnError !== null) return { kind: "broken", reason: `Node could not be started (${end.spawnError})` };
  if (!end.gone) return { kind: "broken", reason: "its processes could not be ended" };
  if (end.signal !== null) return { kind: "signalled", signal: end.signal };
  if (exitCode === unparsableExit && answer[0] === unparsable) return { kind: "unparsable" };
  if (answer[0] !== started) return { kind: "broken", reason: `Node ended before it ran (exit code ${exitCode})` };
  if (exitCode === 0 && answer.subarray(1).equals(nonce)) return { kind: "passed" };
  if (exitCode === 1) return { kind: "failed" };
  return { kind: "exited", exitCode: exitCode ?? -1 };
}
