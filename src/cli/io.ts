import type { Writable } from "node:stream";

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Everything that a command needs of the process that it runs in; only the entry touches `process`. */
export interface Io {
  env: Readonly<Record<string, string>>;
  platform: string;
  /** As in `v20.19.0`. */
  nodeVersion: string;
  /** Carries results only. */
  stdout: Output;
  /** Carries progress, warnings and errors. */
  stderr: Output;
  /** To be called before programs are started: they are given no descriptor that this process was itself given. */
  closeInherited: () => void;
  /** Aborted by a signal to end; the reason is its name, as in `SIGINT`. */
  interruption: AbortSignal;
}

/** `-` is standard input, as everywhere. */
export function recordsPath(given: string): string {
  return given === "-" ? "/dev/stdin" : given;
}
