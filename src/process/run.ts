import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { performance } from "node:perf_hooks";
import { execa, type Options } from "execa";
import { processTree } from "./containment.ts";
import type { ProcessEnd, ProcessSpec } from "./process.ts";

const markerName = "HARNESS_EVAL_PROCESS_TREE";
/** Between SIGTERM and SIGKILL. */
const graceMs = 1000;
/** How long a pipe may stay silent and open after the tree is gone. */
const silenceMs = 1000;

/**
 * Runs a program to its end and leaves none of its processes behind. Never rejects: what went wrong stands in the result.
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
  const marker = randomUUID();
  const nursery = processTree(`${markerName}=${marker}`);
  const [program = "", ...args] = spec.argv;
  const start = performance.now();
  const subprocess = execa(program, args, optionsOf(spec, marker));
  // With `reject: false` this resolves; its outcome is read from the events instead, since it waits for streams as well.
  void subprocess.catch(() => undefined);
  if (subprocess.pid === undefined) {
    const failure = (await subprocess) as { code?: string };
    return { ...end, spawnError: failure.code ?? "UNKNOWN" };
  }
  const tree = nursery.started(subprocess.pid);
  const output = spec.onOutput === undefined ? null : drain(subprocess.stdout, spec.onOutput);
  const kept: Uint8Array[] = [];
  let room = spec.resultBytes ?? 0;
  const result =
    spec.resultBytes === undefined
      ? null
      : drain(subprocess.stdio[4], (chunk) => {
          if (room > 0) kept.push(chunk.subarray(0, room));
          room -= chunk.length;
        });

  const exited = new Promise<void>((resolve) => {
    subprocess.once("exit", (exitCode, signal) => {
      end.elapsedMs = performance.now() - start;
      end.exitCode = exitCode;
      end.signal = signal;
      resolve();
    });
  });
  const stop = new Promise<"timedOut" | "cancelled">((resolve) => {
    const timer = setTimeout(() => resolve("timedOut"), spec.timeoutMs);
    const onAbort = (): void => resolve("cancelled");
    spec.signal?.addEventListener("abort", onAbort, { once: true });
    void exited.then(() => {
      clearTimeout(timer);
      spec.signal?.removeEventListener("abort", onAbort);
    });
  });
  const first = await Promise.race([exited, stop]);
  if (first !== undefined) {
    end[first] = true;
    tree.signal("SIGTERM");
    await within(graceMs, exited);
  }
  const ended = await tree.end();
  await within(longestExitMs, exited);
  end.leftoverProcesses = first === undefined ? ended.killed : 0;
  end.gone = ended.gone;
  end.outputWhole = (await output?.finish()) ?? true;
  await result?.finish();
  end.result = Buffer.concat(kept);
  return end;
}

/** The exit of a killed program is reported at once; this bounds the wait where even SIGKILL does not end it. */
const longestExitMs = 5000;

function optionsOf(spec: ProcessSpec, marker: string): Options {
  return {
    cwd: spec.cwd,
    env: { ...spec.env, [markerName]: marker },
    extendEnv: false,
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stripFinalNewline: false,
    stdio: [
      "ignore",
      spec.onOutput === undefined ? "ignore" : "pipe",
      spec.stderr ?? "ignore",
      ...(spec.input === undefined
        ? spec.resultBytes === undefined
          ? []
          : ["ignore" as const]
        : [Buffer.from(spec.input)]),
      ...(spec.resultBytes === undefined ? [] : ["pipe" as const]),
    ],
  };
}

interface Drain {
  /** Waits for the end of the stream, as long as bytes keep coming; false when it had to be cut. */
  finish(): Promise<boolean>;
}

function drain(stream: Readable | null | undefined, onChunk: (chunk: Uint8Array) => void): Drain {
  if (stream === null || stream === undefined) return { finish: () => Promise.resolve(true) };
  let bytes = 0;
  let whole = true;
  stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    onChunk(chunk);
  });
  const closed = new Promise<void>((resolve) => {
    stream.once("end", resolve);
    stream.once("close", resolve);
    stream.once("error", () => {
      whole = false;
      resolve();
    });
  });
  return {
    async finish() {
      for (let before = -1; before !== bytes;) {
        before = bytes;
        if (await within(silenceMs, closed)) return whole;
      }
      stream.destroy();
      return false;
    },
  };
}

/** Whether a promise settled within a time. */
async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}
