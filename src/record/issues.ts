import type { z } from "zod";
import type { Problem } from "../problem.ts";
import { fieldAt, type Place } from "./place.ts";

type Issue = z.core.$ZodIssue;

/** What the schema found wrong with the record `value`, worded for the person who must mend it. */
export function problemOf(issue: Issue, value: unknown, place: Place): Problem {
  const found = valueAt(value, issue.path);
  const where = fieldAt(place, pathText(issue.path));
  if (found === undefined) return { ...where, message: "is missing", fix: expected(issue) };
  // JSON has no word for the infinity that 1e999 becomes.
  const shown = typeof found === "number" && !Number.isFinite(found) ? String(found) : found;
  return { ...where, value: shown, message: message(issue, found), fix: expected(issue) };
}

function message(issue: Issue, found: unknown): string {
  if (issue.code === "custom") return issue.message;
  if (issue.code === "invalid_type")
    return isWrongNumber(issue, found) ? "is not a whole number" : "has the wrong type";
  if (issue.code === "too_small") return typeof found === "number" ? "is too small" : "is too short";
  if (issue.code === "too_big") return typeof found === "number" ? "is too large" : "is too long";
  return "is not one of the known values";
}

function isWrongNumber(issue: z.core.$ZodIssueInvalidType, found: unknown): boolean {
  return issue.expected === "int" && typeof found === "number";
}

function expected(issue: Issue): string | undefined {
  if (issue.code === "invalid_type") return `give ${typeWords[issue.expected] ?? `a value of type ${issue.expected}`}`;
  if (issue.code === "too_small") return `give at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
  if (issue.code === "too_big") return `give at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
  if (issue.code === "invalid_value") return `give one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_union") return `give one of ${alternatives(issue.errors).join(", ")}`;
  return undefined;
}

const typeWords: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a finite number",
  string: "a string",
  boolean: "true or false",
  object: "an object",
  nonoptional: "a value",
};

function unit(origin: string, limit: number | bigint): string {
  const plural = Number(limit) === 1 ? "" : "s";
  if (origin === "string") return ` character${plural}`;
  return origin === "array" ? ` element${plural}` : "";
}

function alternatives(errors: readonly (readonly Issue[])[]): string[] {
  return errors.flat().flatMap((issue) => (issue.code === "invalid_value" ? issue.values.map(String) : []));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}

/** `a.b[0]`. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}
