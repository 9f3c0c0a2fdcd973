import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { InputError } from "../../src/problem.ts";
import { readRecords } from "../../src/record/reader.ts";
import type { RecordSet } from "../../src/record/record-set.ts";

/** A run with the documented fields only, as JSON text. */
export function runText(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...documentedRun, ...changes });
}

export const documentedRun = {
  taskID: "fix-parser",
  arm: "baseline",
  model: "provider/model",
  cohort: "c1",
  repetition: 0,
  outcome: "completed",
  verified: true,
  elapsedMs: 1234.5,
};

/** Reads a text or bytes as standard input, in portions of `size` bytes. */
export function readText(text: string | Uint8Array, size = 1 << 16): Promise<RecordSet> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return readRecords(Readable.from(chunks, { objectMode: false }));
}

/** The lines of the error, or an empty list where there was none. */
export async function problemsOf(reading: Promise<unknown>): Promise<string[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.message.split("\n");
    throw error;
  }
}

/** A file that is gone after the test. */
export function fileOf(text: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "runs.ndjson");
  writeFileSync(file, text);
  return file;
}
