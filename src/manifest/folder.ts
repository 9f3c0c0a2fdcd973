import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { InputError } from "../problem.ts";
import { pathProblem } from "./paths.ts";
import type { FixtureFile } from "./resolved.ts";

const mostFiles = 2000;

/**
 * The files of a folder, sorted by path, with their bytes and executable bits.
 * @throws InputError naming every entry that cannot be part of a fixture.
 */
export async function readFolder(folder: string, file: string, field: string): Promise<FixtureFile[]> {
  const entries = await list(folder, file, field);
  const files: FixtureFile[] = [];
  const problems = [];
  for (const entry of entries) {
    const absolute = join(entry.parentPath, entry.name);
    const path = relative(folder, absolute).split(sep).join("/");
    const problem =
      pathProblem(path) ?? (entry.isFile() || entry.isDirectory() ? null : "only files and folders can be part of it");
    if (problem !== null) problems.push({ file, field, value: path, message: problem });
    else if (entry.isFile()) {
      const { mode } = await stat(absolute);
      files.push({ path, content: await readFile(absolute), executable: (mode & 0o100) !== 0 });
    }
  }
  if (problems.length > 0) throw new InputError(problems.slice(0, 20));
  if (files.length === 0) throw new InputError({ file, field, message: "the folder holds no file" });
  if (files.length > mostFiles) {
    throw new InputError({ file, field, message: `the folder holds ${files.length} files, more than ${mostFiles}` });
  }
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function list(folder: string, file: string, field: string) {
  try {
    return await readdir(folder, { withFileTypes: true, recursive: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    const message =
      code === "ENOENT"
        ? "there is no such folder"
        : code === "ENOTDIR"
          ? "this is not a folder"
          : `the folder cannot be read (${code})`;
    throw new InputError({ file, field, message });
  }
}
