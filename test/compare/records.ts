import type { RecordSet } from "../../src/record/record-set.ts";
import type { CohortRecord, RunRecord, StopRecord, VoidRecord } from "../../src/record/schema.ts";

/** A run with the documented fields only. */
export function run(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    taskID: "fix-parser",
    arm: "baseline",
    model: "provider/model",
    cohort: "c1",
    repetition: 0,
    outcome: "completed",
    verified: true,
    elapsedMs: 1000,
    ...changes,
  };
}

/** Both arms of one block. */
export function block(
  identity: Partial<RunRecord>,
  baseline: Partial<RunRecord> = {},
  candidate: Partial<RunRecord> = {},
): RunRecord[] {
  return [run({ ...identity, arm: "baseline", ...baseline }), run({ ...identity, arm: "candidate", ...candidate })];
}

/** A plan of the task `fix-parser` with one repetition. */
export function plan(changes: Partial<CohortRecord> = {}): CohortRecord {
  return {
    schemaVersion: 1,
    cohort: "c1",
    harnessVersion: "0.1.0",
    model: "provider/model",
    runtimeRevision: "r1",
    agent: "ax-code",
    arms: ["baseline", "candidate"],
    tasks: ["fix-parser"],
    repetitions: 1,
    ...changes,
  };
}

interface Parts {
  runs: readonly RunRecord[];
  cohorts?: readonly CohortRecord[];
  voids?: readonly VoidRecord[];
  stops?: readonly StopRecord[];
  /** Default: complete where there is a cohort line, else none. */
  incomplete?: boolean | null;
}

/** Lines are numbered as in a file: cohorts, runs, voids, stops, comparison. */
export function recordSet({ runs, cohorts = [], voids = [], stops = [], incomplete }: Parts): RecordSet {
  let line = 0;
  const ended = incomplete === undefined ? (cohorts.length > 0 ? false : null) : incomplete;
  return {
    file: "runs.ndjson",
    cohorts: cohorts.map((cohort) => ({ cohort, line: ++line })),
    runs: runs.map((one) => ({ run: one, line: ++line })),
    voids: voids.map((one) => ({ void: one, line: ++line })),
    stops: stops.map((stop) => ({ stop, line: ++line })),
    closing: ended === null ? null : { incomplete: ended, line: ++line },
  };
}

/** Records in the shape of a file that holds runs only. */
export function bare(runs: readonly RunRecord[]): RecordSet {
  return recordSet({ runs });
}
