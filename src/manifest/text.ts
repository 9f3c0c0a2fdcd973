import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { InputError } from "../problem.ts";

const mostBytes = 64_000_000;

/**
 * A file as text; a byte order mark is dropped.
 * @throws InputError for a file that is missing, a folder, too large, or not text in UTF-8.
 */
export async function readText(path: string, file: string, field?: string): Promise<string> {
  const bytes = await readBytes(path, file, field);
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new InputError({ file, field, message: "the file is not text in UTF-8", fix: "name a text file" });
  }
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

async function readBytes(path: string, file: string, field: string | undefined): Promise<Buffer> {
  const fail = (message: string): never => {
    throw new InputError({ file, field, message, fix: "name a readable file" });
  };
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return fail("this is a folder, not a file");
    if (!stats.isFile()) return fail("this is not a regular file");
    if (stats.size > mostBytes) return fail(`the file is over 64 MB (${stats.size} bytes)`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return fail(code === "ENOENT" ? "there is no such file" : `the file cannot be read (${code})`);
  }
}
