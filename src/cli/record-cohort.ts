import { createWriteStream, type WriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { runCohort, type CohortEnd, type CohortInput } from "../attempt/cohort.ts";
import { unsetVariables } from "../attempt/environment.ts";
import { compare } from "../compare/comparison.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { InputError, type Warning } from "../problem.ts";
import { recordSetOf, type RecordSet } from "../record/record-set.ts";
import { recordWriter } from "../record/writer.ts";
import { endLine } from "./ending.ts";
import type { Result } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { startProgress } from "./progress.ts";
import { harnessVersion } from "./version.ts";

interface RecordedCohort extends Pick<CohortInput, "manifest" | "task" | "limitBlocks" | "budget" | "untilDecided"> {
  /** Of the manifest. */
  warnings: readonly Warning[];
  /** A new file for the records; standard output without one. */
  output?: string;
  quiet: boolean;
}

/** Runs a cohort with progress on standard error, and every record on its way out before the next attempt starts. */
export async function recordCohort(asked: RecordedCohort, io: Io): Promise<CohortEnd> {
  const { manifest, warnings, output: path, quiet, ...choices } = asked;
  const progress = startProgress(io.stderr, quiet);
  for (const warning of [...warnings, ...unsetVariables(manifest, io.env)])
    progress.onEvent({ kind: "warning", warning });
  const file = path === undefined ? null : { path, stream: await newFile(path) };
  const writer = recordWriter(file?.stream ?? io.stdout);
  try {
    const end = await runCohort({
      ...choices,
      manifest,
      env: io.env,
      harnessVersion,
      nodeVersion: io.nodeVersion,
      platform: io.platform,
      signal: io.interruption,
      write: (line) => writer.write(line),
      onEvent: progress.onEvent,
    });
    if (end.cohort !== null) await writer.write(closingLine(end, manifest));
    progress.end(endLine(end, path));
    return end;
  } finally {
    progress.stop();
    if (file !== null) await close(file.stream, file.path);
  }
}

/** Nothing that was recorded is overwritten. */
async function newFile(path: string): Promise<WriteStream> {
  try {
    const handle = await open(path, "wx");
    return createWriteStream(path, { fd: handle });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const [message, fix] =
      code === "ENOENT"
        ? ["its folder is not there", "make the folder first"]
        : [code === "EEXIST" ? "the file is there already" : `cannot be written (${code})`, "name a new file"];
    throw new InputError({ field: "--output", value: path, message, fix });
  }
}

/** Where nothing was recorded, no empty file is left in the way of the next run. */
async function close(stream: WriteStream, path: string): Promise<void> {
  await new Promise((resolve) => stream.end(resolve));
  if (stream.bytesWritten === 0) await rm(path, { force: true });
}

function closingLine(end: CohortEnd, manifest: ResolvedManifest) {
  const [baseline, candidate] = manifest.arms;
  const records = recordsOf(end);
  const comparison = records === null ? null : compare(records, baseline.name, candidate.name);
  return { type: "comparison" as const, comparison, incomplete: comparison === null };
}

/** The records of a cohort that came to its end; null of one that did not. */
export function recordsOf(end: CohortEnd): RecordSet | null {
  if (end.kind === "decided") return recordSetOf(end.cohort, end.runs, end.stop);
  return end.kind === "complete" ? recordSetOf(end.cohort, end.runs) : null;
}

export function resultOf(end: CohortEnd, interruption: AbortSignal): Result {
  switch (end.kind) {
    case "complete":
    case "decided":
    case "smoke":
      return { kind: "done" };
    case "cancelled":
      return { kind: "interrupted", signal: String(interruption.reason) };
    case "stopped":
      return { kind: "incomplete" };
  }
}
