import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { lockFile } from "../process/lock.ts";
import { InputError, type Warning } from "../problem.ts";
import { recordFile, type RecordFile } from "../record/file-writer.ts";
import { readRecords } from "../record/reader.ts";
import type { RecordSet } from "../record/record-set.ts";
import { cutTornTail } from "../record/tail.ts";
import { recordWriter, type RecordWriter } from "../record/writer.ts";
import { earlierOf, nothingEarlier, type Earlier } from "./resume.ts";

/** Where a cohort's records go, and what is there already. */
export interface RecordOutput extends RecordWriter {
  earlier: Earlier;
  /** The records that the cohort goes on from; null for a new one. */
  resumed: RecordSet | null;
  warnings: Warning[];
  close(): Promise<void>;
}

/**
 * Standard output, or a file that no other run writes to.
 * @param cohort id of the cohort that is to be recorded
 * @throws InputError for a file that cannot be used, that another run holds, or whose records are of another cohort
 */
export async function openOutput(
  { output, resume }: { output?: string; resume: boolean },
  cohort: string,
  stdout: Writable,
): Promise<RecordOutput> {
  if (output === undefined) {
    const close = (): Promise<void> => Promise.resolve();
    return { ...recordWriter(stdout), earlier: nothingEarlier, resumed: null, warnings: [], close };
  }
  const goesOn = resume && existsSync(output);
  const file = goesOn ? await recordFile(output, "append") : await recordFile(output, "new");
  try {
    return await openRecordFile(output, file, { goesOn, cohort });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openRecordFile(
  path: string,
  file: RecordFile,
  { goesOn, cohort }: { goesOn: boolean; cohort: string },
): Promise<RecordOutput> {
  const lock = await lockFile(path);
  if (lock === "held") {
    const message = "another run is writing to this file";
    throw new InputError({ field: "--output", value: path, message, fix: "wait for its end, or name another file" });
  }
  const warnings: Warning[] = lock === "unavailable" ? [noLock] : [];
  const close = async (): Promise<void> => {
    // Where nothing was recorded, no empty file is left in the way of the next run.
    if (!goesOn && (await file.size()) === 0) await rm(path, { force: true });
    await file.close();
    if (lock !== "unavailable") await lock.release();
  };
  try {
    const cut = goesOn ? await cutTornTail(path) : 0;
    if (cut > 0) warnings.push(tailCut(cut));
    const resumed = goesOn && (await file.size()) > 0 ? await readRecords(path) : null;
    const earlier = resumed === null ? nothingEarlier : earlierOf(resumed, cohort);
    return { write: (line) => file.write(line), close, earlier, resumed, warnings };
  } catch (error) {
    await close();
    throw error;
  }
}

const noLock: Warning = {
  code: "no-lock",
  message: "flock(1) is not on this machine, so that nothing keeps a second run from writing to the same file.",
};

function tailCut(bytes: number): Warning {
  const message = `The last line was cut off: ${bytes} bytes of it were removed, and its attempt is run again.`;
  return { code: "tail-cut", message };
}
