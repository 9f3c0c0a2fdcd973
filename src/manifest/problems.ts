import type { Problem } from "../problem.ts";
import type { Finding, JsonPath } from "./finding.ts";
import { positionsOf } from "./positions.ts";
import { featureNames } from "./resolved.ts";

/** The manifest or policy that findings are about. */
export interface Source {
  /** As the user gave it. */
  file: string;
  text: string;
  value: unknown;
}

const mostShown = 100;

/**
 * The only fields whose value an error may show. Prompts, contents, oracles, commands, configuration and environment
 * values are not among them, and an unknown key may hold any of these.
 */
const shownFields: ReadonlySet<string | number | undefined> = new Set([
  ...[
    "name",
    "id",
    "model",
    "runtimeRevision",
    "agent",
    "sandbox",
    "home",
    "toolProfile",
    "autonomous",
    ...featureNames,
  ],
  ...["repetitions", "timeoutMs", "oracleTimeoutMs", "margin"],
  ...[
    "maxRatio",
    "minTasks",
    "minPairs",
    "maxFaultRate",
    "maxProtectedChanged",
    "requirePlan",
    "alpha",
    "onInconclusive",
  ],
  ...["path", "promptFile", "oracleFile", "fixture", "solution"],
]);
const shownLists: ReadonlySet<string | number | undefined> = new Set(["tags", "passEnv"]);

/** Findings as problems with line, field and value, in the order of the text; of very many the first, and a count. */
export function toProblems(findings: readonly Finding[], { file, text, value }: Source): Problem[] {
  const positions = positionsOf(
    text,
    findings.map(({ path }) => path),
  );
  const problems = findings.map((finding, index): Problem => {
    const { path, message, fix } = finding;
    const shown = finding.value === undefined ? shownValue(value, path) : (finding.value ?? undefined);
    return {
      file,
      ...(finding.at ?? positions[index]),
      ...(path.length === 0 ? {} : { field: fieldOf(path) }),
      ...(shown === undefined ? {} : { value: shown }),
      message,
      ...(fix === undefined ? {} : { fix }),
    };
  });
  problems.sort((one, other) => compare(one.line, other.line) || compare(one.column, other.column));
  const rest = problems.length - mostShown;
  if (rest <= 0) return problems;
  const more = { file, message: `${rest} more problems`, fix: "mend these first" };
  return [...problems.slice(0, mostShown), more];
}

/** A path as it stands in errors: `tasks[0].files[1].path`. */
export function fieldOf(path: JsonPath): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : keyOf(key, index === 0))).join("");
}

/** What stands at a path; undefined for nothing. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    return (inner as Record<string | number, unknown>)[key];
  }, value);
}

/** A key may be of any length, and one that was meant as `NAME=VALUE` may hold a secret. */
function keyOf(key: string, first: boolean): string {
  const name = key.replace(/=.*/s, "=…");
  const short = name.length > 60 ? `${name.slice(0, 59)}…` : name;
  return /^[\w$…-]+$/.test(short) ? `${first ? "" : "."}${short}` : `[${JSON.stringify(short)}]`;
}

function shownValue(value: unknown, path: JsonPath): unknown {
  const last = path.at(-1);
  const allowed = typeof last === "number" ? shownLists.has(path.at(-2)) : shownFields.has(last);
  if (!allowed || path.includes("env") || path.includes("config")) return undefined;
  const found = valueAt(value, path);
  return typeof found === "object" ? undefined : found;
}

function compare(one = 0, other = 0): number {
  return one - other;
}
