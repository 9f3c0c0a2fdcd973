export { runCohort } from "./attempt/cohort.ts";
export type { CohortEnd, CohortEvent, CohortInput } from "./attempt/cohort.ts";
export { compare } from "./compare/comparison.ts";
export type { Comparison } from "./compare/comparison.ts";
export { loadManifest } from "./manifest/load.ts";
export { InputError, formatProblem } from "./problem.ts";
export type { Problem, Warning } from "./problem.ts";
export { readRecords } from "./record/reader.ts";
export type { CohortRecord, RecordLine, RunRecord } from "./record/schema.ts";
