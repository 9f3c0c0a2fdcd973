import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import type { Problem } from "../problem.ts";
import type { JsonDocument } from "./json.ts";

type Path = readonly PropertyKey[];

/** Fields whose value no error may show: what agents are asked and judged by, and what may be a secret. */
const unshown = /(^|\.)(prompt|promptTemplate|content|oracle|env|config|setup|description)(\W|$)/;

/** What zod found, as lines that name the field, its value and the nearest known key. */
export function schemaProblems(
  error: z.ZodError,
  document: JsonDocument,
  known: readonly string[],
  file: string,
): Problem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const fix = hint(key, known);
        return fieldProblem({ path: [...issue.path, key], message: "unknown key", fix }, document, file, false);
      });
    }
    if (issue.code === "invalid_union") {
      const branch = issue.errors.flat().sort((one, other) => other.path.length - one.path.length)[0];
      const path = [...issue.path, ...(branch?.path ?? [])];
      return [fieldProblem({ path, message: branch?.message ?? issue.message }, document, file)];
    }
    const missing = issue.code === "invalid_type" && valueAt(document.value, keysOf(issue.path)) === undefined;
    const message = missing ? "the field is missing" : lowerFirst(issue.message);
    return [fieldProblem({ path: issue.path, message }, document, file)];
  });
}

/** A problem at a path of the document. */
export function fieldProblem(
  { path, message, fix }: { path: Path; message: string; fix?: string },
  document: JsonDocument,
  file: string,
  showValue = true,
): Problem {
  const keys = keysOf(path);
  const field = fieldOf(keys);
  const value = valueAt(document.value, keys);
  const shown =
    showValue && value !== undefined && !unshown.test(field) && (typeof value !== "object" || value === null);
  return { file, ...document.positionOf(keys), field, ...(shown ? { value } : {}), message, ...(fix ? { fix } : {}) };
}

/** A path as it stands in errors: `tasks[0].files[1].path`. */
export function fieldOf(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
}

function keysOf(path: Path): (string | number)[] {
  return path.map((key) => (typeof key === "number" ? key : String(key)));
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as Record<string | number, unknown>)[key];
  }, value);
}

function hint(key: string, known: readonly string[]): string {
  const nearest = known
    .map((name) => ({ name, far: distance(key.slice(0, 100), name) }))
    .sort((a, b) => a.far - b.far)[0];
  const near = nearest !== undefined && nearest.far <= Math.max(2, nearest.name.length / 3);
  return near ? `did you mean ${nearest.name}?` : `remove it, or see docs/manifest.md`;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
