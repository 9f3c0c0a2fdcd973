import { dirname } from "node:path";
import { open, type FileHandle } from "node:fs/promises";
import { InputError } from "../problem.ts";
import { OutputClosedError, serialize, type RecordWriter } from "./writer.ts";

/** Writes to a file of which it is the only writer. */
export interface RecordFile extends RecordWriter {
  /** Bytes in the file. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A record file whose every line is on the disk before its write resolves.
 * @param mode `new` refuses a file that is there; `append` goes on with one that is.
 * @throws InputError for a file that cannot be opened so.
 */
export async function recordFile(path: string, mode: "new" | "append"): Promise<RecordFile> {
  const handle = await openFile(path, mode);
  let failure: OutputClosedError | null = null;
  return {
    async write(line) {
      if (failure !== null) throw failure;
      const before = (await handle.stat()).size;
      try {
        await handle.appendFile(`${serialize(line)}\n`);
        await handle.datasync();
      } catch (error) {
        failure = new OutputClosedError((error as NodeJS.ErrnoException).code ?? "unknown error", error);
        // What is left of a line would have to be cut at the next start.
        await handle.truncate(before).catch(() => undefined);
        throw failure;
      }
    },
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  };
}

async function openFile(path: string, mode: "new" | "append"): Promise<FileHandle> {
  try {
    const handle = await open(path, mode === "new" ? "ax" : "a");
    if (!(await handle.stat()).isFile()) {
      await handle.close();
      throw new InputError({
        field: "--output",
        value: path,
        message: "is not a regular file",
        fix: "name a new file",
      });
    }
    if (mode === "new") await syncFolder(dirname(path));
    return handle;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const [message, fix] =
      code === "ENOENT"
        ? ["its folder is not there", "make the folder first"]
        : code === "EEXIST"
          ? ["the file is there already", "name a new file, or go on with this one by --resume"]
          : [`cannot be written (${code})`, "name a new file"];
    throw new InputError({ field: "--output", value: path, message, fix });
  }
}

/** A new file survives a loss of power only once its folder is on the disk too. Not every file system can do that. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file itself is there.
  }
}
