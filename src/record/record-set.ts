import type { CohortRecord, RunRecord, StopRecord, VoidRecord } from "./schema.ts";

/** A run and the line that it stands on, counted from 1. */
export interface NumberedRun {
  run: RunRecord;
  line: number;
}

/** The records of one input, in the order of the lines. */
export interface RecordSet {
  /** As the user gave it; absent for records that were never in a file. */
  file?: string;
  cohorts: { cohort: CohortRecord; line: number }[];
  runs: NumberedRun[];
  voids: { void: VoidRecord; line: number }[];
  stops: { stop: StopRecord; line: number }[];
  /** The comparison line that ends the records; null where none does, since the run was cut or the records are bare. */
  closing: { incomplete: boolean; line: number } | null;
}

/** The records of a cohort that are still in memory: complete, or with the line that ended it. */
export function recordSetOf(
  cohort: CohortRecord,
  runs: readonly RunRecord[],
  { voids = [], stop }: { voids?: readonly VoidRecord[]; stop?: StopRecord } = {},
): RecordSet {
  return {
    cohorts: [{ cohort, line: 1 }],
    runs: runs.map((run, index) => ({ run, line: index + 2 })),
    voids: voids.map((one) => ({ void: one, line: 0 })),
    stops: stop === undefined ? [] : [{ stop, line: runs.length + 2 }],
    closing: { incomplete: false, line: runs.length + (stop === undefined ? 2 : 3) },
  };
}
