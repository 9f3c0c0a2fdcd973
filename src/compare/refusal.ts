import { distance } from "fastest-levenshtein";
import { InputError } from "../problem.ts";
import type { ProblemList } from "../record/problem-list.ts";
import type { NumberedRun, RecordSet } from "../record/record-set.ts";
import type { Pair, Pairing } from "./pair.ts";
import { blockName, listed } from "./wording.ts";

/** @throws InputError for equal or unknown arm names, and where there is nothing to compare; all else would follow from these. */
export function refuseNames(records: RecordSet, baseline: string, candidate: string): void {
  const { file, cohorts, runs } = records;
  const where = file === undefined ? {} : { file };
  if (baseline === candidate) {
    const message = "baseline and candidate are the same arm";
    throw new InputError({ ...where, value: baseline, message, fix: "name two arms" });
  }
  if (runs.length === 0) {
    throw new InputError({ ...where, message: "holds no runs", fix: "run the cohort first" });
  }
  const known = new Set([...cohorts.flatMap(({ cohort }) => cohort.arms), ...runs.map(({ run }) => run.arm)]);
  const unknown = [baseline, candidate].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new InputError(
    unknown.map((name) => {
      const nearest = [...known].sort((a, b) => distance(name, a) - distance(name, b) || (a < b ? -1 : 1));
      return { ...where, value: name, message: "has no such arm", fix: `the arms are ${listed(nearest)}` };
    }),
  );
}

export function refuseDuplicates({ duplicates }: Pairing, problems: ProblemList): void {
  for (const { first, again } of duplicates) {
    const { run, line } = again;
    const message = `repeats line ${first.line}: arm ${run.arm}, ${blockName(run)}`;
    problems.add({ line, message, fix: "keep one of the two, or set the other's occasion aside with a void line" });
  }
}

/** Attempts without a partner, with a word on where the partner may be. */
export function refuseUnpaired({ unpaired }: Pairing, arms: readonly string[], problems: ProblemList): void {
  if (unpaired.length === 0) return;
  const elsewhere = new Map(unpaired.map((numbered) => [looseKey(numbered.run, numbered.run.arm), numbered]));
  const byLine = [...unpaired].sort((a, b) => a.line - b.line);
  for (const { run, line } of byLine) {
    const partner = arms.find((arm) => arm !== run.arm) ?? "";
    const stray = elsewhere.get(looseKey(run, partner));
    const hint = stray === undefined ? "" : `; line ${stray.line} has it under another model or cohort`;
    const message = `the ${partner} attempt is missing for ${run.arm}, ${blockName(run)}${hint}`;
    problems.add({ line, message, fix: "run both arms of the block, or remove this attempt" });
  }
}

function looseKey({ taskID, repetition }: NumberedRun["run"], arm: string): string {
  return JSON.stringify([taskID, repetition, arm]);
}

/** Pairs whose attempts cannot belong to one block. */
export function refuseMismatched({ cells }: Pairing, problems: ProblemList): void {
  for (const { pairs } of cells) {
    for (const pair of pairs) {
      const fact = mismatch(pair);
      if (fact === null) continue;
      const { field, difference } = fact;
      const { run, line } = pair.candidate;
      const message = `${difference} in line ${pair.baseline.line}, its partner: ${blockName(run)}`;
      problems.add({ line, field, value: run[field], message, fix: "run both arms of the block again" });
    }
  }
}

function mismatch({ baseline: { run: a }, candidate: { run: b } }: Pair) {
  if (a.fixtureRevision !== undefined && b.fixtureRevision !== undefined && a.fixtureRevision !== b.fixtureRevision) {
    return { field: "fixtureRevision" as const, difference: "differs from the fixture" };
  }
  if ((a.attempt ?? 0) !== (b.attempt ?? 0)) {
    return { field: "attempt" as const, difference: "is not the occasion" };
  }
  if (a.position !== undefined && a.position === b.position) {
    return { field: "position" as const, difference: "is also the position" };
  }
  return null;
}

/** An end that is marked incomplete, or is missing although a cohort line begins the records. */
export function refuseUnfinished(records: RecordSet, soleCohort: string | null, problems: ProblemList): void {
  const { closing, cohorts, stops } = records;
  const plan = cohorts.at(-1)?.cohort;
  const last = plan?.cohort ?? soleCohort;
  if (stops.some(({ stop }) => (stop.cohort ?? soleCohort) === last)) return;
  if (closing === null) {
    if (plan === undefined) return;
    problems.add({ message: "no comparison line ends the records: the run was cut", fix: "run the cohort to its end" });
  } else if (closing.incomplete) {
    const { line } = closing;
    const [message, fix] =
      plan?.whole === false
        ? ["this is a smoke run, which planned only some of the blocks", "run the whole cohort and compare that"]
        : ["the cohort did not complete, or was a smoke run", "run the cohort to its end"];
    problems.add({ line, field: "incomplete", value: true, message, fix });
  }
}
