import { resolve } from "node:path";
import type { Finding, JsonPath } from "./finding.ts";
import { byPath, readFolder, type FolderReading } from "./folder.ts";
import type { FixtureFile } from "./resolved.ts";
import { limits, type ManifestFile } from "./shapes.ts";
import type { ManifestTask } from "./task.ts";
import { readText, type TextReading } from "./text.ts";

/** What a task consists of, wherever the manifest says it lies. */
export interface TaskContents {
  prompt: string;
  oracle: string;
  files: FixtureFile[];
  solution: FixtureFile[];
}

/** How many tasks are read at the same time. */
const atOnce = 16;

/** Files and folders that several tasks name are read, and held in memory, once. */
interface Reader {
  /** Absolute paths of what was asked for so far. */
  paths(): string[];
  text(path: string, mostBytes: number): Promise<TextReading>;
  folder(path: string): Promise<FolderReading>;
}

/**
 * Reads every file that tasks name.
 * @param tasks undefined stands for a task that is not valid by itself.
 * @param folder absolute path of the manifest's folder.
 * @returns the contents by the index of the task, to be used only when there is no finding, and the absolute paths that
 * were read.
 */
export async function readNamedFiles(
  tasks: readonly (ManifestTask | undefined)[],
  folder: string,
): Promise<{ contents: TaskContents[]; paths: string[]; findings: Finding[] }> {
  const reader = sharedReader(folder);
  const findings: Finding[] = [];
  const contents: TaskContents[] = [];
  for (let start = 0; start < tasks.length; start += atOnce) {
    const read = tasks.slice(start, start + atOnce).map((task, offset) => readTask(reader, task, start + offset));
    for (const { task, found } of await Promise.all(read)) {
      contents.push(task);
      findings.push(...found);
    }
  }
  return { contents, paths: reader.paths(), findings };
}

function sharedReader(base: string): Reader {
  const texts = new Map<string, Promise<TextReading>>();
  const folders = new Map<string, Promise<FolderReading>>();
  const once = <T>(map: Map<string, Promise<T>>, path: string, read: (absolute: string) => Promise<T>): Promise<T> => {
    const absolute = resolve(base, path);
    let reading = map.get(absolute);
    if (reading === undefined) map.set(absolute, (reading = read(absolute)));
    return reading;
  };
  return {
    paths: () => [...texts.keys(), ...folders.keys()],
    text: (path, mostBytes) => once(texts, path, (absolute) => readText(absolute, mostBytes)),
    folder: (path) => once(folders, path, readFolder),
  };
}

async function readTask(reader: Reader, task: ManifestTask | undefined, index: number) {
  const found: Finding[] = [];
  const contents: TaskContents = { prompt: "", oracle: "", files: [], solution: [] };
  if (task === undefined) return { task: contents, found };
  const at = (field: string): JsonPath => ["tasks", index, field];
  contents.prompt = task.prompt ?? (await textOf(reader, task.promptFile, limits.prompt, at("promptFile"), found));
  contents.oracle = task.oracle ?? (await textOf(reader, task.oracleFile, limits.oracle, at("oracleFile"), found));
  contents.files = await filesOf(reader, task.files ?? task.fixture, at("fixture"), found);
  contents.solution = await filesOf(reader, task.solution, at("solution"), found);
  return { task: contents, found };
}

async function textOf(
  reader: Reader,
  path: string | undefined,
  most: number,
  field: JsonPath,
  found: Finding[],
): Promise<string> {
  if (path === undefined) return "";
  // UTF-8 has at most three bytes for a UTF-16 unit, and there may be a byte order mark.
  const reading = await reader.text(path, 3 * limits.oracle + 3);
  const wrong = wrongText(reading, most);
  if (wrong !== null) found.push({ path: field, ...wrong });
  return reading.kind === "text" ? reading.text : "";
}

function wrongText(reading: TextReading, most: number): Pick<Finding, "message" | "fix"> | null {
  switch (reading.kind) {
    case "refused":
      return { message: reading.message, fix: reading.fix };
    case "large":
      return { message: `the file has ${reading.bytes} bytes, more than the ${most} characters allowed` };
    case "text": {
      const { length } = reading.text;
      if (length === 0) return { message: "the file is empty", fix: "write into it, or name another" };
      return length > most ? { message: `the file has ${length} characters, more than ${most}` } : null;
    }
  }
}

async function filesOf(
  reader: Reader,
  source: readonly ManifestFile[] | string | undefined,
  field: JsonPath,
  found: Finding[],
): Promise<FixtureFile[]> {
  if (source === undefined) return [];
  if (typeof source !== "string") return listedFiles(source);
  const reading = await reader.folder(source);
  if (reading.kind === "files") return reading.files;
  found.push(...reading.problems.map((problem) => ({ path: field, ...problem })));
  return [];
}

/** Files written out in the manifest, as bytes. */
export function listedFiles(files: readonly ManifestFile[]): FixtureFile[] {
  return byPath(files.map(({ path, content }) => ({ path, content: Buffer.from(content, "utf8"), executable: false })));
}
