import { InputError } from "../problem.ts";
import type { RecordSet } from "../record/record-set.ts";
import type { RunRecord, VoidRecord } from "../record/schema.ts";

/** What earlier occasions of a cohort left: whole blocks stand, halves are set aside and run again. */
export interface Earlier {
  /** Of whole blocks, in the order of the file. */
  standing: RunRecord[];
  /** All runs, those set aside too: they have cost what they cost. */
  all: RunRecord[];
  /** Halves of blocks that no line sets aside yet. */
  halves: VoidRecord[];
  /** Whether a block is whole. */
  has(taskID: string, repetition: number): boolean;
  /** Number of the next occasion of a block, 0 for one that never began. */
  occasion(taskID: string, repetition: number): number;
  /** The e-value sufficed, and a line says so. */
  isDecided: boolean;
}

export const nothingEarlier: Earlier = {
  standing: [],
  all: [],
  halves: [],
  has: () => false,
  occasion: () => 0,
  isDecided: false,
};

/**
 * Reads what a cut cohort has done. A pair never mixes two occasions: a block with one attempt, or with a cancelled one, is
 * treated as absent.
 * @param cohort id of the cohort that goes on.
 * @throws InputError for records of another cohort
 */
export function earlierOf(records: RecordSet, cohort: string): Earlier {
  const foreign = [...records.cohorts.map(({ cohort: one, line }) => ({ one: one.cohort, line }))]
    .concat(records.runs.map(({ run, line }) => ({ one: run.cohort, line })))
    .concat(records.voids.map(({ void: { cohort: one = cohort }, line }) => ({ one, line })))
    .concat(records.stops.map(({ stop: { cohort: one = cohort }, line }) => ({ one, line })))
    .find(({ one }) => one !== cohort);
  if (foreign !== undefined) {
    const message =
      "belongs to another cohort: this manifest, or a file that it names, is not the one of these records";
    throw new InputError({
      file: records.file,
      line: foreign.line,
      message,
      fix: "name a new file, or undo the change",
    });
  }
  const voided = new Set(
    records.voids.map(({ void: { taskID, repetition, attempt } }) => key(taskID, repetition, attempt)),
  );
  const occasions = new Map<string, RunRecord[]>();
  const next = new Map<string, number>();
  for (const { run } of records.runs) {
    const { taskID, repetition, attempt = 0 } = run;
    const block = key(taskID, repetition);
    next.set(block, Math.max(next.get(block) ?? 0, attempt + 1));
    if (voided.has(key(taskID, repetition, attempt))) continue;
    const occasion = key(taskID, repetition, attempt);
    occasions.set(occasion, [...(occasions.get(occasion) ?? []), run]);
  }
  const whole = [...occasions.values()].filter(isWhole);
  const blocks = new Set(whole.map(([run]) => key(run!.taskID, run!.repetition)));
  return {
    standing: whole.flat(),
    all: records.runs.map(({ run }) => run),
    halves: [...occasions.values()].filter((runs) => !isWhole(runs)).map(([run]) => voidOf(run!)),
    has: (taskID, repetition) => blocks.has(key(taskID, repetition)),
    occasion: (taskID, repetition) => next.get(key(taskID, repetition)) ?? 0,
    isDecided: records.stops.length > 0,
  };
}

function isWhole(runs: readonly RunRecord[]): boolean {
  return runs.length === 2 && runs.every(({ outcome }) => outcome !== "cancelled");
}

function voidOf({ taskID, repetition, attempt = 0, cohort }: RunRecord): VoidRecord {
  return { taskID, repetition, attempt, cohort, reason: "interrupted" };
}

function key(...parts: (string | number)[]): string {
  return JSON.stringify(parts);
}
