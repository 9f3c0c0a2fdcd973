import { parse as parseLeniently, type ParseError } from "jsonc-parser";
import type { Problem } from "../problem.ts";
import { isRunRecord } from "./check.ts";
import { problemOf } from "./issues.ts";
import { fieldAt, type Place } from "./place.ts";
import { RecordLine, RunRecord } from "./schema.ts";

/** A record, or everything that is wrong with its text; problems are without `file`. */
export type Parsed = { kind: "record"; record: RecordLine } | { kind: "refused"; problems: Problem[] };

/**
 * Parses the text of one record: a line with a `type`, or a bare run of the documented fields.
 * @param whole false for a last line without a line end, which may have been cut.
 */
export function parseRecord(text: string, place: Place, whole: boolean): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "refused", problems: [syntaxProblem(text, place, whole)] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const fix = "give one record, an object, a line";
    return refused([{ ...fieldAt(place), value, message: "is not a record", fix }]);
  }
  const type = (value as { type?: unknown }).type;
  if (type === "run" && isRunRecord((value as { run?: unknown }).run)) {
    return { kind: "record", record: value as RecordLine };
  }
  if (type === undefined) return parseBareRun(value, place);
  const types: readonly unknown[] = recordTypes;
  if (!types.includes(type)) {
    const fix = `the types are ${recordTypes.join(", ")}`;
    return refused([{ ...fieldAt(place, "type"), value: type, message: "is not a type of record", fix }]);
  }
  const { success, data, error } = RecordLine.safeParse(value);
  if (success) return { kind: "record", record: data };
  return refused(error.issues.map((issue) => problemOf(issue, value, place)));
}

export const recordTypes = RecordLine.options.map((option) => option.shape.type.value);

function parseBareRun(value: object, place: Place): Parsed {
  if (isRunRecord(value)) return { kind: "record", record: { type: "run", run: value } };
  if (!Object.keys(value).some((key) => Object.hasOwn(RunRecord.shape, key))) {
    const fix = "give a file that `run` wrote, or runs with the documented fields";
    return refused([{ ...fieldAt(place), message: "is not a record: no `type`, and no field of a run", fix }]);
  }
  const { error } = RunRecord.safeParse(value);
  return refused((error?.issues ?? []).map((issue) => problemOf(issue, value, place)));
}

function refused(problems: Problem[]): Parsed {
  return { kind: "refused", problems };
}

/** Never with the text itself: what was taken for a record file may hold anything. */
function syntaxProblem(text: string, place: Place, whole: boolean): Problem {
  if (text.includes("\0")) {
    return { ...fieldAt(place), message: "holds NUL bytes", fix: "the file is damaged; remove what is not a record" };
  }
  const token = /"([^"\\]{1,100})"\s*:\s*(-?(?:NaN|Infinity))\b/.exec(text);
  if (token !== null) {
    const fix = "leave the field out where the value is not known";
    return { ...fieldAt(place, token[1]), message: `${token[2]} is not a number in JSON`, fix };
  }
  if (!whole) {
    const fix = "run the cohort again, or remove the line when its attempt may be missing";
    return { ...fieldAt(place), message: "the last line is cut off", fix };
  }
  const { line, column } = errorPosition(text, place);
  return { ...fieldAt(place), line, column, message: "is not JSON", fix: "give one JSON object a line" };
}

function errorPosition(text: string, place: Place): { line: number; column: number } {
  const errors: ParseError[] = [];
  parseLeniently(text, errors, { disallowComments: true });
  const before = text.slice(0, errors[0]?.offset ?? text.length).split("\n");
  return { line: place.line + before.length - 1, column: (before.at(-1) ?? "").length + 1 };
}
