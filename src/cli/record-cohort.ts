import { randomInt } from "node:crypto";
import { runCohort, type CohortEnd, type CohortInput } from "../attempt/cohort.ts";
import { unsetVariables } from "../attempt/environment.ts";
import { openOutput, type RecordOutput } from "../attempt/record-output.ts";
import { compare } from "../compare/comparison.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { InputError, type Warning } from "../problem.ts";
import { readRecords } from "../record/reader.ts";
import { recordSetOf, type RecordSet } from "../record/record-set.ts";
import { endLine } from "./ending.ts";
import type { Result } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { startProgress } from "./progress.ts";
import { seeds } from "./usage.ts";
import { harnessVersion } from "./version.ts";

/** Without a seed that of a cohort that goes on, or one that is drawn. */
interface StoppingRule {
  alpha: number;
  seed?: number;
}

type Choices = "manifest" | "task" | "limitBlocks" | "budget" | "retryFaults" | "confinement";

interface CohortToRecord extends Pick<CohortInput, Choices> {
  untilDecided?: StoppingRule;
  /** Of the manifest. */
  warnings: readonly Warning[];
  /** A file for the records; standard output without one. */
  output?: string;
  /** Goes on with the records that are in the file. */
  resume?: boolean;
  quiet: boolean;
}

/** A cohort as it stands in its record file. */
interface RecordedCohort {
  end: CohortEnd;
  /** All of its records, when it came to its end. */
  records: RecordSet | null;
}

/** Runs a cohort with progress on standard error, and every record on its way out before the next attempt starts. */
export async function recordCohort(asked: CohortToRecord, io: Io): Promise<RecordedCohort> {
  const { manifest, warnings, output: path, resume = false, quiet, ...choices } = asked;
  const output = await openOutput({ output: path, resume }, manifest.cohort, io.stdout);
  io.closeInherited();
  const progress = startProgress(io.stderr, quiet);
  try {
    for (const warning of [...warnings, ...unsetVariables(manifest, io.env), ...output.warnings])
      progress.onEvent({ kind: "warning", warning });
    const ended = endedBefore(output);
    if (ended !== null) {
      progress.end("nothing is left to do: all records are there");
      return ended;
    }
    const end = await runCohort({
      ...choices,
      untilDecided: stoppingRuleOf(output.resumed, choices.untilDecided),
      earlier: output.earlier,
      manifest,
      env: io.env,
      harnessVersion,
      nodeVersion: io.nodeVersion,
      platform: io.platform,
      signal: io.interruption,
      write: (line) => output.write(line),
      onEvent: progress.onEvent,
    });
    const records = await recordsOf(end, output.resumed === null ? undefined : path);
    if (end.cohort !== null) await output.write(closingLine(records, manifest));
    progress.end(endLine(end, path));
    return { end, records };
  } finally {
    progress.stop();
    await output.close();
  }
}

/** The file may be resumed by a script that does not know whether that is needed. */
function endedBefore({ resumed }: RecordOutput): RecordedCohort | null {
  const cohort = resumed?.cohorts.at(-1)?.cohort;
  if (resumed === null || cohort === undefined || resumed.closing?.incomplete !== false) return null;
  return { end: { kind: "complete", cohort, runs: [], voids: [] }, records: resumed };
}

/** A cohort that goes on keeps its stopping rule and the order of its tasks. */
function stoppingRuleOf(resumed: RecordSet | null, asked: StoppingRule | undefined): CohortInput["untilDecided"] {
  const [first] = resumed?.cohorts ?? [];
  if (first === undefined) return asked && { ...asked, seed: asked.seed ?? randomInt(seeds) };
  const begun = first.cohort.untilDecided;
  if (asked === undefined || (begun !== undefined && (asked.seed ?? begun.seed) === begun.seed)) return begun;
  const message = begun === undefined ? "the cohort began without it" : `the cohort began with seed ${begun.seed}`;
  const fix = begun === undefined ? "leave it out" : "leave --seed out";
  throw new InputError({ field: "--until-decided", message, fix });
}

/** @param file holds earlier records of the same cohort too */
async function recordsOf(end: CohortEnd, file: string | undefined): Promise<RecordSet | null> {
  if (end.kind !== "decided" && end.kind !== "complete") return null;
  if (file === undefined)
    return recordSetOf(end.cohort, end.runs, {
      voids: end.voids,
      ...(end.kind === "decided" ? { stop: end.stop } : {}),
    });
  return { ...(await readRecords(file)), closing: { incomplete: false, line: 0 } };
}

function closingLine(records: RecordSet | null, manifest: ResolvedManifest) {
  const [baseline, candidate] = manifest.arms;
  const comparison = records === null ? null : compare(records, baseline.name, candidate.name);
  return { type: "comparison" as const, comparison, incomplete: comparison === null };
}

export function resultOf({ end }: RecordedCohort, interruption: AbortSignal): Result {
  switch (end.kind) {
    case "complete":
    case "decided":
    case "smoke":
      return { kind: "done" };
    case "cancelled":
      return { kind: "interrupted", signal: String(interruption.reason) };
    case "stopped":
      return { kind: "incomplete" };
  }
}
