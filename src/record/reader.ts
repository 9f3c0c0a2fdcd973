import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { InputError } from "../problem.ts";
import { runInterner } from "./intern.ts";
import { parseRecord } from "./parse.ts";
import { problemList } from "./problem-list.ts";
import type { RecordSet } from "./record-set.ts";
import type { RecordLine } from "./schema.ts";
import { splitTexts } from "./texts.ts";

/**
 * Reads a record file as a stream: NDJSON, or one JSON array, of records with a `type` or of bare runs.
 * @param source A path, or a stream such as standard input.
 * @throws InputError with the first 20 problems and a count of the rest; also for a file that cannot be read or holds no record.
 */
export async function readRecords(source: string | Readable): Promise<RecordSet> {
  const file = typeof source === "string" ? source : "standard input";
  const stream = typeof source === "string" ? createReadStream(source, { highWaterMark: 1 << 20 }) : source;
  const records: RecordSet = { file, cohorts: [], runs: [], voids: [], stops: [], closing: null };
  const problems = problemList(file);
  const intern = runInterner();
  let texts = 0;
  try {
    await splitTexts(stream as AsyncIterable<Buffer | string>, {
      text(text, place, whole) {
        texts++;
        const parsed = parseRecord(text, place, whole);
        if (parsed.kind === "refused") {
          if (problems.full) problems.addUnnamed(1);
          else parsed.explain().forEach((problem) => problems.add(problem));
          return;
        }
        if (parsed.record.type === "run") intern(parsed.record.run);
        collect(records, parsed.record, place.line);
      },
      damaged(problem) {
        texts++;
        problems.add(problem);
      },
    });
  } catch (error) {
    throw readError(error, file);
  }
  if (texts === 0) problems.add({ message: "holds no records", fix: "give the file that `run` wrote" });
  problems.throwIfAny();
  return records;
}

function collect(records: RecordSet, record: RecordLine, line: number): void {
  switch (record.type) {
    case "cohort":
      records.cohorts.push({ cohort: record.cohort, line });
      break;
    case "run":
      records.runs.push({ run: record.run, line });
      break;
    case "void":
      records.voids.push({ void: record.void, line });
      break;
    case "stop":
      records.stops.push({ stop: record.stop, line });
      break;
    case "comparison":
      records.closing = { incomplete: record.incomplete ?? record.comparison === null, line };
      return;
  }
  // What stands after a comparison was written by a run that resumed and has not ended.
  records.closing = null;
}

function readError(error: unknown, file: string): unknown {
  if (error instanceof InputError) return new InputError(error.problems.map((problem) => ({ file, ...problem })));
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case undefined:
      return error;
    case "ENOENT":
      return new InputError({
        file,
        message: "there is no such file",
        fix: "check the path; /dev/stdin is standard input",
      });
    case "EISDIR":
      return new InputError({ file, message: "is a folder", fix: "give the record file in it" });
    default:
      return new InputError({ file, message: `cannot be read (${code})` });
  }
}
