import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";

/** The text of a file, or why there is none. */
export type TextReading =
  | { kind: "text"; text: string }
  | { kind: "refused"; message: string; fix: string }
  /** Larger than asked for, so not read. */
  | { kind: "large"; bytes: number };

/** Reads a regular file of text in UTF-8 of at most `mostBytes`; a byte order mark is dropped. */
export async function readText(path: string, mostBytes: number): Promise<TextReading> {
  let bytes: Buffer;
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return refused("this is a folder, not a file");
    if (!stats.isFile()) return refused("this is not a regular file");
    if (stats.size > mostBytes) return { kind: "large", bytes: stats.size };
    bytes = await readFile(path);
  } catch (error) {
    return refused(readError(error, "file"));
  }
  if (!isUtf8(bytes) || bytes.includes(0)) return refused("the file is not text in UTF-8");
  const text = bytes.toString("utf8");
  return { kind: "text", text: text.startsWith("\ufeff") ? text.slice(1) : text };
}

/** Why a file or folder could not be read, as a clause. */
export function readError(error: unknown, what: "file" | "folder"): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code === "ENOENT" ? `there is no such ${what}` : `the ${what} cannot be read (${code})`;
}

function refused(message: string): TextReading {
  return { kind: "refused", message, fix: "name a readable text file" };
}
