import type { Sandbox } from "./sandbox.ts";

/** A program to run to its end. */
export interface ProcessSpec {
  /** Program and arguments; never a shell line. */
  argv: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** From the start, on the monotonic clock. */
  timeoutMs: number;
  /** Ends the process tree as a cancellation. */
  signal?: AbortSignal;
  /** Takes standard output as it comes; backpressure holds. Without it standard output goes to /dev/null. */
  onOutput?: (chunk: Uint8Array) => void;
  /** `try` passes the CLI's own output through; standard error otherwise goes to /dev/null. */
  stderr?: "ignore" | "inherit";
  /** Written to descriptor 3 of the program, which is then closed. */
  input?: string | Uint8Array;
  /** Where it may only see and touch so much; the program then knows the paths of this machine all the same. */
  sandbox?: Sandbox;
  /** Most bytes kept of what the program writes to descriptor 4; absent: the program has no descriptor 4. */
  resultBytes?: number;
}

/** How a program ended. The fields are independent facts. */
export interface ProcessEnd {
  /** null when it was ended by a signal or never started; in a sandbox 128 and the number of the signal. */
  exitCode: number | null;
  /** The signal that ended it, as in `SIGKILL`. */
  signal: string | null;
  /** Start to exit of the program itself, on the monotonic clock, without clearing up its descendants. */
  elapsedMs: number;
  timedOut: boolean;
  cancelled: boolean;
  /** The error code (`ENOENT`, `EACCES`, ...) when the program could not be started; `ESANDBOX`: its sandbox could not be made. */
  spawnError: string | null;
  /** Processes of the tree that were still there after the program itself had ended. */
  leftoverProcesses: number;
  /** false when the tree could not be ended; nothing that it may still write can be trusted. */
  gone: boolean;
  /** false when standard output was not read to its end. */
  outputWhole: boolean;
  /** What the program wrote to descriptor 4. */
  result: Uint8Array;
}
