import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Readable } from "node:stream";
import { execa, type Options, type Subprocess } from "execa";
import { processTree } from "./containment.ts";
import { launchOf, resultDescriptor, type Launch } from "./launch.ts";
import { namespaceTree } from "./namespace.ts";
import { markerName } from "./orphans.ts";
import { ownerName } from "./owner.ts";
import { drain, within } from "./drain.ts";
import type { ProcessEnd, ProcessSpec } from "./process.ts";
import type { SandboxReport } from "./sandbox.ts";

/** Between SIGTERM and SIGKILL. */
const graceMs = 1000;
/** The exit of a killed program is reported at once; this bounds the wait where even SIGKILL does not end it. */
const longestExitMs = 5000;

/**
 * Runs a program to its end and leaves none of its processes behind. What went wrong with the program stands in the result.
 * @throws what `spec.onOutput` throws, once the processes are gone.
 */
export async function runProcess(spec: ProcessSpec): Promise<ProcessEnd> {
  const end: ProcessEnd = {
    exitCode: null,
    signal: null,
    elapsedMs: 0,
    timedOut: false,
    cancelled: false,
    spawnError: null,
    leftoverProcesses: 0,
    gone: true,
    outputWhole: true,
    result: new Uint8Array(),
  };
  if (spec.signal?.aborted === true) return { ...end, cancelled: true };
  const marker = `${markerName}=${ownerName()}:${randomUUID()}`;
  const launch = launchOf(spec);
  const [program = "", ...args] = launch.argv;
  const start = performance.now();
  let subprocess;
  try {
    subprocess = execa(program, args, optionsOf(spec, marker, launch));
  } catch {
    // No system call takes a NUL in an argument.
    return { ...end, spawnError: "EINVAL" };
  }
  // With `reject: false` this resolves; its outcome is read from the events instead, since it waits for streams as well.
  void subprocess.catch(() => undefined);
  if (subprocess.pid === undefined) {
    const failure = (await subprocess) as { code?: string };
    return { ...end, spawnError: failure.code ?? "UNKNOWN" };
  }
  const namespace =
    launch.sandbox === null ? null : namespaceTree(subprocess.pid, streamsOf(subprocess, launch.sandbox));
  const tree = namespace ?? processTree(subprocess.pid, marker);
  const exited = new Promise<"exited">((resolve) => {
    subprocess.once("exit", (exitCode, signal) => {
      end.elapsedMs = performance.now() - start;
      end.exitCode = exitCode;
      end.signal = signal;
      resolve("exited");
    });
  });
  const stop = stopOf(spec, exited);
  let thrown: { error: unknown } | undefined;
  const onError = (error: unknown): void => {
    thrown ??= { error };
    stop.now();
  };
  const output = drain(subprocess.stdout, (chunk) => spec.onOutput?.(chunk), onError);
  const kept: Uint8Array[] = [];
  let room = spec.resultBytes ?? 0;
  const result = drain(
    spec.resultBytes === undefined ? null : subprocess.stdio[resultDescriptor],
    (chunk) => {
      if (room > 0) kept.push(chunk.subarray(0, room));
      room -= chunk.length;
    },
    onError,
  );

  const first = await Promise.race([exited, stop.stopped]);
  if (first !== "exited") {
    end.elapsedMs = performance.now() - start;
    end.timedOut = first === "timeout";
    end.cancelled = first === "abort";
    tree.terminate();
    await within(graceMs, exited);
  }
  const { leftovers, gone } = await tree.end();
  await within(longestExitMs, exited);
  end.leftoverProcesses = leftovers;
  end.gone = gone;
  end.spawnError = namespace === null ? null : sandboxError(namespace.report(), end);
  end.outputWhole = await output.finish();
  await result.finish();
  end.result = Buffer.concat(kept);
  if (thrown !== undefined) throw thrown.error;
  return end;
}

function optionsOf(spec: ProcessSpec, marker: string, launch: Launch): Options {
  const separator = marker.indexOf("=");
  return {
    cwd: spec.cwd,
    env: { ...spec.env, [marker.slice(0, separator)]: marker.slice(separator + 1) },
    extendEnv: false,
    preferLocal: false,
    // A new session, and so a process group of its own.
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stripFinalNewline: false,
    // Its debug mode would print the arguments, and with them prompts.
    verbose: "none",
    stdio: launch.stdio,
  };
}

function streamsOf(subprocess: Subprocess, { bwrap, wrapper }: { bwrap: number; wrapper: number }) {
  return { bwrap: subprocess.stdio[bwrap] as Readable, wrapper: subprocess.stdio[wrapper] as Readable };
}

/** Why a program did not start inside; null when it did, or was stopped before it could. */
function sandboxError(report: SandboxReport, end: ProcessEnd): string | null {
  if (report.started || end.timedOut || end.cancelled) return null;
  return report.missing ? "ENOENT" : "ESANDBOX";
}

interface Stop {
  /** Why the program is to end before it does so by itself; never resolves when it does. */
  stopped: Promise<"timeout" | "abort" | "now">;
  now(): void;
}

function stopOf(spec: ProcessSpec, exited: Promise<unknown>): Stop {
  let resolve: (reason: "timeout" | "abort" | "now") => void = () => undefined;
  const stopped = new Promise<"timeout" | "abort" | "now">((resolver) => (resolve = resolver));
  const timer = setTimeout(() => resolve("timeout"), spec.timeoutMs);
  const onAbort = (): void => resolve("abort");
  spec.signal?.addEventListener("abort", onAbort, { once: true });
  void exited.then(() => {
    clearTimeout(timer);
    spec.signal?.removeEventListener("abort", onAbort);
  });
  return { stopped, now: () => resolve("now") };
}
