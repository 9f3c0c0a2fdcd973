import { dirname, resolve } from "node:path";
import { InputError, type Warning } from "../problem.ts";
import { armsAreEqual, cohortID } from "./digest.ts";
import type { Finding } from "./finding.ts";
import { issueFindings, mostFindings } from "./issues.ts";
import { parseJson } from "./json.ts";
import { readNamedFiles } from "./named-files.ts";
import { fieldOf, toProblems } from "./problems.ts";
import { resolveManifest } from "./resolve.ts";
import type { ResolvedManifest } from "./resolved.ts";
import { Manifest } from "./schema.ts";
import { ManifestTask } from "./task.ts";
import { readText } from "./text.ts";

const mostBytes = 64_000_000;

/**
 * Reads, checks and resolves a manifest.
 * @param path as the user gave it; errors show it so.
 * @throws InputError naming every problem found, with file, line, field and value.
 */
export async function loadManifest(path: string): Promise<{ manifest: ResolvedManifest; warnings: Warning[] }> {
  const text = await readManifest(path);
  const { value, findings: structure } = parseJson(text, path);
  const parsed = Manifest.safeParse(value);
  const folder = dirname(resolve(path));
  const issues = issueFindings(parsed.error?.issues ?? [], value);
  const readable = parsed.data?.tasks ?? (issues.length < mostFindings ? validTasks(value) : []);
  const { contents, paths, findings: unread } = await readNamedFiles(readable, folder);
  const findings = [...structure, ...withoutFields(issues, structure), ...repeatedNames(value), ...unread];
  if (findings.length > 0 || !parsed.success) throw new InputError(toProblems(findings, { file: path, text, value }));
  const resolution = resolveManifest(parsed.data, contents, { path, folder, namedPaths: [resolve(path), ...paths] });
  const manifest = { ...resolution, cohort: cohortID(resolution, parsed.data) };
  return { manifest, warnings: armsAreEqual(resolution, parsed.data) ? [armsIdentical] : [] };
}

async function readManifest(path: string): Promise<string> {
  const reading = await readText(path, mostBytes);
  switch (reading.kind) {
    case "text":
      return reading.text;
    case "refused":
      throw new InputError({ file: path, message: reading.message, fix: reading.fix });
    case "large": {
      const message = `the file has ${reading.bytes} bytes; a manifest has at most 64 MB`;
      throw new InputError({ file: path, message, fix: "put prompts, oracles and fixtures into files of their own" });
    }
  }
}

const armsIdentical: Warning = {
  code: "arms-identical",
  message: "The arms do not differ in anything but their names, so there is no effect to see.",
};

/** Tasks are read beside other problems too, so that all are named at once. */
function validTasks(value: unknown): (ManifestTask | undefined)[] {
  return entriesOf(value, "tasks").map((task) => ManifestTask.safeParse(task).data);
}

function withoutFields(findings: readonly Finding[], named: readonly Finding[]): Finding[] {
  const fields = new Set(named.map(({ path }) => fieldOf(path)));
  return findings.filter(({ path }) => !fields.has(fieldOf(path)));
}

/** Looked for in the raw value, so that they are found beside other problems. */
function repeatedNames(value: unknown): Finding[] {
  return [...repeated(value, "arms", "name"), ...repeated(value, "tasks", "id")];
}

function repeated(value: unknown, list: "arms" | "tasks", key: "name" | "id"): Finding[] {
  const first = new Map<string, number>();
  return entriesOf(value, list).flatMap((entry, index) => {
    const name = (entry as Record<string, unknown> | null)?.[key];
    if (typeof name !== "string") return [];
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    const message = `stands twice, first at ${list}[${before}]`;
    return before === undefined ? [] : [{ path: [list, index, key], message, fix: "choose another" }];
  });
}

function entriesOf(value: unknown, list: "arms" | "tasks"): unknown[] {
  const entries = (value as Record<string, unknown> | null)?.[list];
  return Array.isArray(entries) ? entries : [];
}
