import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./finding.ts";
import { pathProblem } from "./paths.ts";
import type { FixtureFile } from "./resolved.ts";
import { limits } from "./shapes.ts";
import { readError } from "./text.ts";

const mostFiles = 2000;
/** Folders count as well, so that a walk ends wherever it was started by mistake. */
const mostEntries = 10_000;
const mostProblems = 20;

/** What is wrong with a folder; `value` is the path inside it. */
type FolderProblem = Pick<Finding, "message" | "fix" | "value">;

export type FolderReading = { kind: "files"; files: FixtureFile[] } | { kind: "refused"; problems: FolderProblem[] };

interface Walk {
  folder: string;
  files: { path: string; stats: Stats }[];
  problems: FolderProblem[];
  entries: number;
}

/**
 * The files of a folder and of those in it, sorted by path, with their bytes and executable bits. Empty folders are
 * no part of it: Git does not know them. Nothing is read before the whole is known to be within its limits.
 */
export async function readFolder(folder: string): Promise<FolderReading> {
  const walk: Walk = { folder, files: [], problems: [], entries: 0 };
  await list(walk, "");
  const { files, problems } = walk;
  const bytes = files.reduce((sum, { stats }) => sum + stats.size, 0);
  if (problems.length === 0) {
    if (files.length === 0) problems.push({ message: "the folder holds no file", fix: "put files into it" });
    if (files.length > mostFiles) problems.push({ message: `the folder holds over ${mostFiles} files` });
    if (bytes > limits.fixtureBytes) {
      problems.push({ message: `the files of the folder have ${bytes} bytes, more than ${limits.fixtureBytes}` });
    }
  }
  if (problems.length > 0) return { kind: "refused", problems: problems.slice(0, mostProblems) };
  return readFiles(walk);
}

/** @param path of the folder to list inside the walk's folder, empty or with a `/` at its end. */
async function list(walk: Walk, path: string): Promise<void> {
  for (const name of await namesIn(walk, path)) {
    if (++walk.entries > mostEntries || walk.files.length > mostFiles || walk.problems.length >= mostProblems) return;
    await visit(walk, `${path}${name}`);
  }
}

async function namesIn({ folder, problems }: Walk, path: string): Promise<string[]> {
  try {
    return (await readdir(join(folder, path))).sort();
  } catch (error) {
    const fix = "name a readable folder, relative to the manifest";
    problems.push({ message: readError(error, "folder"), ...(path === "" ? { fix } : { value: path }) });
    return [];
  }
}

async function visit(walk: Walk, path: string): Promise<void> {
  const problem = path.includes("\ufffd") ? "the name is not UTF-8" : pathProblem(path);
  if (problem !== null) {
    walk.problems.push({ message: problem, value: path, fix: "take it out of the folder" });
    return;
  }
  let stats: Stats;
  try {
    stats = await lstat(join(walk.folder, path));
  } catch (error) {
    walk.problems.push({ message: readError(error, "file"), value: path });
    return;
  }
  if (stats.isDirectory()) return list(walk, `${path}/`);
  if (stats.isFile()) walk.files.push({ path, stats });
  else {
    const what = stats.isSymbolicLink() ? "a symbolic link" : "a special file";
    walk.problems.push({ message: `${what} cannot be part of it`, value: path, fix: "take it out of the folder" });
  }
}

async function readFiles({ folder, files }: Walk): Promise<FolderReading> {
  const read: FixtureFile[] = [];
  const problems: FolderProblem[] = [];
  for (const { path, stats } of files) {
    try {
      const content = await readFile(join(folder, path));
      const length = isUtf8(content) ? content.toString("utf8").length : content.length;
      if (length > limits.content) {
        problems.push({ message: `the file has ${length} characters, more than ${limits.content}`, value: path });
      }
      read.push({ path, content, executable: (stats.mode & 0o100) !== 0 });
    } catch (error) {
      problems.push({ message: readError(error, "file"), value: path });
    }
  }
  if (problems.length > 0) return { kind: "refused", problems: problems.slice(0, mostProblems) };
  return { kind: "files", files: byPath(read) };
}

/** Sorted by path, in UTF-16 order on every machine. */
export function byPath(files: readonly FixtureFile[]): FixtureFile[] {
  return [...files].sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}
