import type { z } from "zod";
import type { Finding, JsonPath } from "./finding.ts";
import { keyHint, nearest } from "./keys.ts";
import { fieldOf, valueAt } from "./problems.ts";

type Issue = z.core.$ZodIssue;
type Wording = Pick<Finding, "message" | "fix">;

/** More than anybody reads. */
export const mostFindings = 1000;

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
};

/**
 * What the schema found in a value, up to `mostFindings`.
 * @param hint what to do about an unknown key of the object at a path
 */
export function issueFindings(issues: readonly Issue[], value: unknown, hint = keyHint): Finding[] {
  const findings: Finding[] = [];
  const mistyped = new Set<string>();
  for (const issue of issues) {
    const path = pathOf(issue.path);
    const field = fieldOf(path);
    // A string has a length as a list has, and the limits of a list say nothing about it.
    if (mistyped.has(field)) continue;
    if (issue.code === "invalid_type") mistyped.add(field);
    for (const finding of findingsOf(issue, path, value, hint)) {
      if (findings.length >= mostFindings) return findings;
      findings.push(finding);
    }
  }
  return findings;
}

function* findingsOf(issue: Issue, path: JsonPath, value: unknown, hint: typeof keyHint): Generator<Finding> {
  switch (issue.code) {
    case "unrecognized_keys":
      for (const key of issue.keys) {
        yield { path: [...path, key], message: "unknown key", fix: hint(key, path), value: null };
      }
      return;
    case "invalid_union": {
      // The alternatives are of different types, so the fitting one has no complaint about the type of the whole.
      const fitting = issue.errors.find((errors) => !errors.some(isWrongType)) ?? [];
      for (const inner of fitting) yield* findingsOf(inner, [...path, ...pathOf(inner.path)], value, hint);
      if (fitting.length === 0) yield { path, message: `must be a list of files or a folder's path` };
      return;
    }
    case "invalid_key":
    case "invalid_element":
      for (const inner of issue.issues) yield { path, ...wordingOf(inner, path, value) };
      return;
    case "invalid_type":
    case "invalid_value":
    case "invalid_format":
    case "too_small":
    case "too_big":
    case "not_multiple_of":
    case "custom":
      yield { path, ...wordingOf(issue, path, value) };
  }
}

function isWrongType({ code, path }: Issue): boolean {
  return code === "invalid_type" && path.length === 0;
}

function wordingOf(issue: Issue, path: JsonPath, value: unknown): Wording {
  switch (issue.code) {
    case "invalid_type": {
      const found = valueAt(value, path);
      if (found === undefined && path.length > 0) return { message: "the field is missing", fix: "add it" };
      // A number that is not whole is a number all the same.
      const but = issue.expected === "int" ? "" : `, not ${wordOf(found)}`;
      return { message: `must be ${typeWords[issue.expected] ?? issue.expected}${but}` };
    }
    case "invalid_value": {
      const found = valueAt(value, path);
      const options = issue.values.map(String);
      const near = typeof found === "string" ? nearest(found, options) : null;
      return { message: `must be one of ${options.join(", ")}`, ...(near ? { fix: `did you mean ${near}?` } : {}) };
    }
    case "too_small":
      if (unitOf(issue.origin) !== "" && issue.minimum === 1) return { message: "must not be empty" };
      return { message: `must ${haveOrBe(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}` };
    case "too_big":
      return { message: `must ${haveOrBe(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}` };
    case "custom": {
      const fix: unknown = issue.params?.fix;
      return { message: issue.message, ...(typeof fix === "string" ? { fix } : {}) };
    }
    case "invalid_format":
    case "not_multiple_of":
    case "unrecognized_keys":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
      return { message: issue.message };
  }
}

function haveOrBe(origin: string): string {
  return unitOf(origin) === "" ? "be" : "have";
}

function unitOf(origin: string): string {
  return origin === "string" ? " characters" : origin === "array" ? " entries" : "";
}

function wordOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : (typeWords[typeof value] ?? typeof value);
}

function pathOf(path: readonly PropertyKey[]): JsonPath {
  return path.map((key) => (typeof key === "number" ? key : String(key)));
}
