import { randomUUID } from "node:crypto";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ProcessEnd } from "../process/process.ts";
import { runProcess } from "../process/run.ts";
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
}

const bootstrap = fileURLToPath(new URL("./bootstrap.mjs", import.meta.url));
const unparsable = "unparsable";
const nodeArguments = ["--experimental-vm-modules", "--no-warnings", "--unhandled-rejections=strict"];

/** Runs an oracle on a workspace. The source reaches Node on a descriptor: it is in no argument, file or variable. */
export async function runOracle(input: OracleInput): Promise<OracleRun> {
  const { source, workspace, timeoutMs, folder, path, signal } = input;
  const nonce = randomUUID();
  const end = await runProcess({
    argv: [process.execPath, ...nodeArguments, bootstrap, workspace],
    cwd: folder,
    env: { PATH: path, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8", TZ: "UTC" },
    timeoutMs,
    signal,
    input: JSON.stringify({ nonce, source }),
    // One more than the answer, so that anything written besides spoils it.
    resultBytes: nonce.length + 1,
  });
  return { verdict: verdictOf(end, nonce, timeoutMs), elapsedMs: end.elapsedMs };
}

function verdictOf(end: ProcessEnd, nonce: string, timeoutMs: number): OracleVerdict {
  const answer = Buffer.from(end.result).toString("latin1");
  if (end.cancelled) return { kind: "cancelled" };
  if (end.timedOut) return { kind: "timeout", timeoutMs };
  if (end.spawnError !== null) return { kind: "broken", reason: `Node could not be started (${end.spawnError})` };
  if (!end.gone) return { kind: "broken", reason: "its processes could not be ended" };
  if (end.signal !== null) return { kind: "signalled", signal: end.signal };
  if (end.exitCode === 0 && answer === nonce) return { kind: "passed" };
  if (end.exitCode === 97 && answer === unparsable) return { kind: "unparsable" };
  if (end.exitCode === 1) return { kind: "failed" };
  return { kind: "exited", exitCode: end.exitCode ?? -1 };
}
