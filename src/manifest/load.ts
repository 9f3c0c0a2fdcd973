import { InputError, type Problem, type Warning } from "../problem.ts";
import { cohortID } from "./digest.ts";
import { parseJson, type JsonDocument } from "./json.ts";
import { fieldProblem, schemaProblems } from "./problems.ts";
import { resolveManifest } from "./resolve.ts";
import type { ResolvedManifest } from "./resolved.ts";
import { knownKeys, Manifest } from "./schema.ts";
import { readText } from "./text.ts";

/**
 * Reads, checks and resolves a manifest.
 * @param path as the user gave it; errors show it so.
 * @throws InputError naming every problem found, with file, line, field and value.
 */
export async function loadManifest(path: string): Promise<{ manifest: ResolvedManifest; warnings: Warning[] }> {
  const document = parseJson(await readText(path, path), path);
  const parsed = Manifest.safeParse(document.value);
  const problems = [
    ...(parsed.success ? [] : schemaProblems(parsed.error, document, knownKeys(), path)),
    ...repeatedNames(document, path),
  ];
  if (problems.length > 0 || !parsed.success) throw new InputError(problems);
  const resolution = await resolveManifest(parsed.data, path);
  const manifest = { ...resolution, cohort: cohortID(resolution, parsed.data) };
  return { manifest, warnings: warningsOf(manifest) };
}

/** Looked for in the raw value, so that they are found beside other problems. */
function repeatedNames(document: JsonDocument, file: string): Problem[] {
  return (
    [
      ["arms", "name"],
      ["tasks", "id"],
    ] as const
  ).flatMap(([list, key]) => {
    const entries = (document.value as Record<string, unknown> | null)?.[list];
    if (!Array.isArray(entries)) return [];
    const first = new Map<unknown, number>();
    return entries.flatMap((entry: Record<string, unknown> | null, index) => {
      const value = entry?.[key];
      if (typeof value !== "string") return [];
      const before = first.get(value);
      if (before === undefined) first.set(value, index);
      const message = `stands twice, first at ${list}[${before}]`;
      return before === undefined ? [] : [fieldProblem({ path: [list, index, key], message }, document, file)];
    });
  });
}

function warningsOf(manifest: ResolvedManifest): Warning[] {
  const [baseline, candidate] = manifest.arms.map(({ name, role, ...arm }) => JSON.stringify(arm));
  if (baseline !== candidate) return [];
  return [
    { code: "arms-identical", message: "the arms do not differ in anything but their names, so no effect can be seen" },
  ];
}
