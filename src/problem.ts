/** One thing that is wrong with what the user gave: where, what was found, what to do. */
export interface Problem {
  /** Path as the user gave it. */
  file?: string;
  /** Counted from 1. */
  line?: number;
  /** Counted from 1. */
  column?: number;
  /** JSON path inside the file, as in `tasks[0].files[1].path`. */
  field?: string;
  /** The value found; shown cut to 60 characters. Leave it out for prompts, contents, oracles and environment values. */
  value?: unknown;
  /** What is wrong, as a clause without a full stop. */
  message: string;
  /** The next step, as a clause without a full stop. */
  fix?: string;
}

/** The input cannot be used; exit code 2. Every problem that was found is in it, not the first only. */
export class InputError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: Problem | readonly Problem[]) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    super(list.map(formatProblem).join("\n"));
    this.name = "InputError";
    this.problems = list;
  }
}

/** A problem as one line: `file:line:column: field: message (found VALUE); fix`. */
export function formatProblem(problem: Problem): string {
  const position = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":");
  const where = [position, problem.field].filter((part) => part !== undefined && part !== "").join(": ");
  const found = "value" in problem ? ` (found ${formatValue(problem.value)})` : "";
  const fix = problem.fix === undefined ? "" : `; ${problem.fix}`;
  return oneLine(`${where === "" ? "" : `${where}: `}${problem.message}${found}${fix}`);
}

function formatValue(value: unknown): string {
  // Of what JSON has no word for, a NaN for one, JSON.stringify would say null.
  const text = ["bigint", "undefined", "number"].includes(typeof value) ? String(value) : JSON.stringify(value);
  const characters = Array.from(text);
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : text;
}

/** Control and format characters would let a file name or a value forge further lines, drive the terminal or turn text round. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ");
}

/** Something the reader of a result must know before relying on it. It is data; the printers show it. */
export interface Warning {
  /** Stable, in kebab case, for programs. */
  code: string;
  /** One sentence for people: what is missing or was not held constant, and how much is needed. */
  message: string;
}
