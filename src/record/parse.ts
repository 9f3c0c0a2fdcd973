import { parse as parseLeniently, type ParseError } from "jsonc-parser";
import type { Problem } from "../problem.ts";
import { isRunRecord } from "./check.ts";
import { problemOf } from "./issues.ts";
import { fieldAt, type Place } from "./place.ts";
import { RecordLine, RunRecord } from "./schema.ts";

/** A record, or what is wrong with its text; problems are without `file`. To word them takes longer than to find them. */
export type Parsed = { kind: "record"; record: RecordLine } | { kind: "refused"; explain: () => Problem[] };

/**
 * Parses the text of one record: a line with a `type`, or a bare run of the documented fields.
 * @param whole false for a last line without a line end, which may have been cut.
 */
export function parseRecord(text: string, place: Place, whole: boolean): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(() => [syntaxProblem(text, place, whole)]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `is ${value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`}, not a record`;
    return refused(() => [{ ...fieldAt(place), message, fix: "give one record, an object, a line" }]);
  }
  const type = (value as { type?: unknown }).type;
  if (type === undefined) return parseBareRun(value, place);
  if (type === "run") {
    const isRun = isRunRecord((value as { run?: unknown }).run);
    return isRun ? { kind: "record", record: value as RecordLine } : refused(() => explain(RecordLine, value, place));
  }
  if (!(recordTypes as readonly unknown[]).includes(type)) {
    const fix = `the types are ${recordTypes.join(", ")}`;
    return refused(() => [{ ...fieldAt(place, "type"), value: type, message: "is not a type of record", fix }]);
  }
  const { success, data } = RecordLine.safeParse(value);
  return success ? { kind: "record", record: data } : refused(() => explain(RecordLine, value, place));
}

const recordTypes = RecordLine.options.map((option) => option.shape.type.value);

function parseBareRun(value: object, place: Place): Parsed {
  if (isRunRecord(value)) return { kind: "record", record: { type: "run", run: value } };
  if (!Object.keys(value).some((key) => Object.hasOwn(RunRecord.shape, key))) {
    const fix = "give a file that `run` wrote, or runs with the documented fields";
    return refused(() => [{ ...fieldAt(place), message: "is not a record: no `type`, and no field of a run", fix }]);
  }
  return refused(() => explain(RunRecord, value, place));
}

/** Never empty: what the quick check refuses is refused, whatever the schema thinks of it. */
function explain(schema: typeof RecordLine | typeof RunRecord, value: object, place: Place): Problem[] {
  const problems = (schema.safeParse(value).error?.issues ?? []).map((issue) => problemOf(issue, value, place));
  return problems.length > 0 ? problems : [{ ...fieldAt(place), message: "is not a record" }];
}

function refused(explain: () => Problem[]): Parsed {
  return { kind: "refused", explain };
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
  return {
    ...fieldAt(place),
    ...errorPosition(text, place),
    message: "is not JSON",
    fix: "give one JSON object a line",
  };
}

/** The column is that of the file only where the text begins its line. */
function errorPosition(text: string, place: Place): { line: number; column?: number } {
  const errors: ParseError[] = [];
  parseLeniently(text, errors, { disallowComments: true });
  const before = text.slice(0, errors[0]?.offset ?? text.length).split("\n");
  const column = place.index === undefined ? { column: (before.at(-1) ?? "").length + 1 } : {};
  return { line: place.line + before.length - 1, ...column };
}
