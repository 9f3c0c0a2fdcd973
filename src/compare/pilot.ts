import type { RecordSet } from "../record/record-set.ts";
import type { RunRecord } from "../record/schema.ts";
import type { VarianceComponents } from "../statistics/variance-components.ts";
import { InputError } from "../problem.ts";
import { compare } from "./comparison.ts";
import { metricOf } from "./inference/metrics.ts";

/** Means of one arm's attempts, each over those that state it; null where none does. */
export interface ArmCost {
  elapsedMs: number;
  totalTokens: number | null;
  costUsd: number | null;
}

/** What earlier records say about a cohort that is yet to run. */
export interface Pilot {
  tasks: number;
  pairs: number;
  /** Success rates, candidate - baseline: a pilot's is too uncertain to plan for. */
  difference: number;
  /** Share of pairs in which exactly one arm verified. */
  differing: number;
  spread: VarianceComponents;
  baseline: ArmCost;
  candidate: ArmCost;
}

/**
 * Reads a pilot: a smoke run does, since its plan is not asked for.
 * @throws InputError for records whose pairs cannot be compared, or are of several models or cohorts
 */
export function readPilot(records: RecordSet, baseline: string, candidate: string): Pilot {
  const bare: RecordSet = { ...records, cohorts: [], stops: [], closing: null };
  const { inference } = compare(bare, baseline, candidate);
  if (inference === null) {
    const message = "the pilot is of several models or cohorts";
    throw new InputError({ file: records.file, message, fix: "give the records of one" });
  }
  const runs = records.runs.map(({ run }) => run);
  return {
    tasks: inference.tasks,
    pairs: inference.pairs,
    difference: inference.success.difference.estimate,
    differing: (inference.success.pairs.baselineOnly + inference.success.pairs.candidateOnly) / inference.pairs,
    spread: inference.success.spread,
    baseline: costOf(runs.filter(({ arm }) => arm === baseline)),
    candidate: costOf(runs.filter(({ arm }) => arm === candidate)),
  };
}

function costOf(runs: readonly RunRecord[]): ArmCost {
  return {
    elapsedMs: meanOf(runs.map((run) => run.elapsedMs)) ?? 0,
    totalTokens: meanOf(runs.flatMap((run) => metricOf(run, "totalTokens") ?? [])),
    costUsd: meanOf(runs.flatMap((run) => metricOf(run, "costUsd") ?? [])),
  };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value / values.length, 0);
}
