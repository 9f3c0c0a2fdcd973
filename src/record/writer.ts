import type { Writable } from "node:stream";
import { CohortRecord, RunRecord, StopRecord, VoidRecord, type RecordLine } from "./schema.ts";

/** Nothing more can be written: the reader of a pipe went away, or the device failed. */
export class OutputClosedError extends Error {
  /** As in `EPIPE` or `ENOSPC`. */
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    const closed = code === "EPIPE" || code.startsWith("ERR_STREAM");
    super(
      closed
        ? "the output was closed before all records were written; what was written is whole"
        : `records cannot be written (${code}); make room or choose another output, the last line may be cut`,
      { cause },
    );
    this.name = "OutputClosedError";
    this.code = code;
  }
}

export interface RecordWriter {
  /**
   * Writes one whole line, ended by `\n`. Resolves when the stream has flushed it.
   * @throws OutputClosedError when the stream failed, at this write or earlier.
   */
  write(line: RecordLine): Promise<void>;
}

/** The stream stays the caller's to end. */
export function recordWriter(stream: Writable): RecordWriter {
  let failure: OutputClosedError | null = null;
  const fail = (error: unknown): OutputClosedError =>
    (failure ??= new OutputClosedError((error as NodeJS.ErrnoException).code ?? "unknown error", error));
  // The write that met the error reports it; without a listener it would be an uncaught exception as well.
  stream.on("error", fail);
  return {
    write: (line) =>
      new Promise((resolve, reject) => {
        if (failure !== null) {
          reject(failure);
          return;
        }
        stream.write(`${serialize(line)}\n`, (error) => {
          if (error) reject(fail(error));
          else resolve();
        });
      }),
  };
}

/** Known fields in the order of the schema, then unknown ones by name, whatever order they were set in. */
export function serialize(line: RecordLine): string {
  return JSON.stringify(ordered(orderedInside(line), lineOrder));
}

function orderedInside(line: RecordLine): object {
  switch (line.type) {
    case "cohort":
      return { ...line, cohort: ordered(line.cohort, orders.cohort) };
    case "run":
      return { ...line, run: ordered(line.run, orders.run) };
    case "void":
      return { ...line, void: ordered(line.void, orders.void) };
    case "stop":
      return { ...line, stop: ordered(line.stop, orders.stop) };
    case "comparison":
      return line;
  }
}

const lineOrder = ["type", "cohort", "run", "void", "stop", "comparison", "incomplete"];
const orders = {
  cohort: Object.keys(CohortRecord.shape),
  run: Object.keys(RunRecord.shape),
  void: Object.keys(VoidRecord.shape),
  stop: Object.keys(StopRecord.shape),
};

function ordered(record: object, order: readonly string[]): object {
  const known = new Set(order);
  const others = Object.keys(record).filter((key) => !known.has(key));
  const fields = record as Record<string, unknown>;
  const names = [...order, ...others.sort()].filter((key) => Object.hasOwn(record, key));
  return Object.fromEntries(names.map((key) => [key, fields[key]]));
}
