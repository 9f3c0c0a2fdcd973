import { InputError, type Warning } from "../problem.ts";
import type { RecordSet } from "../record/record-set.ts";
import { seededGenerator, type Generator } from "../statistics/generator.ts";
import { compare } from "./comparison.ts";
import { evaluateGate, type GateDecision, type GatePolicy } from "./gate.ts";
import type { OrderInference } from "./inference/order.ts";
import type { RatioInference } from "./inference/metrics.ts";
import type { DifferenceInference } from "./inference/success.ts";

/** What a cohort says in which both arms were the same. */
export interface Calibration {
  schemaVersion: 1;
  model: string;
  cohort: string;
  tasks: number;
  pairs: number;
  /** Of success; its interval should hold 0. */
  difference: DifferenceInference;
  order: OrderInference;
  /** Its interval should hold 1. */
  latency: RatioInference;
  relabelings: Relabelings;
  warnings: Warning[];
}

/** Decisions when the labels of the arms are dealt out anew within each pair, where none is right. */
interface Relabelings {
  times: number;
  seed: number;
  /** Shares of them, 0 to 1. */
  improved: number;
  regressed: number;
  /** null without a policy. */
  gate: Record<GateDecision["decision"], number> | null;
}

export interface CalibrationQuestion {
  baseline: string;
  candidate: string;
  policy: GatePolicy | null;
  times: number;
  seed: number;
  onRelabeling?: (done: number) => void;
}

/**
 * Calibrates the decisions on records of two arms that were the same.
 * @throws InputError for records that support no comparison, or are of several models or cohorts
 */
export function calibrate(records: RecordSet, question: CalibrationQuestion): Calibration {
  const { baseline, candidate, policy } = question;
  const { inference, warnings } = compare(records, baseline, candidate, { alpha: policy?.alpha });
  if (inference === null) {
    const message = "the records are of several models or cohorts";
    throw new InputError({ file: records.file, message, fix: "calibrate one" });
  }
  const { model, cohort, tasks, pairs, success, order, latency } = inference;
  return {
    schemaVersion: 1,
    model,
    cohort,
    tasks,
    pairs,
    difference: success.difference,
    order,
    latency,
    relabelings: relabel(records, question),
    warnings: [...warnings, ...noiseWarnings(latency, policy)],
  };
}

function relabel(records: RecordSet, question: CalibrationQuestion): Relabelings {
  const { baseline, candidate, policy, times, seed, onRelabeling } = question;
  const random = seededGenerator(seed);
  const counts = { improved: 0, regressed: 0, undecided: 0 };
  const gate = { passed: 0, failed: 0, undecided: 0 };
  for (let done = 1; done <= times; done++) {
    const dealt = dealLabels(records, [baseline, candidate], random);
    const decision = policy === null ? null : evaluateGate(dealt, baseline, candidate, policy);
    const comparison = decision?.comparison ?? compare(dealt, baseline, candidate);
    counts[comparison.inference?.verdict.direction ?? "undecided"]++;
    if (decision !== null) gate[decision.decision]++;
    onRelabeling?.(done);
  }
  const share = (count: number): number => count / times;
  return {
    times,
    seed,
    improved: share(counts.improved),
    regressed: share(counts.regressed),
    gate:
      policy === null
        ? null
        : { passed: share(gate.passed), failed: share(gate.failed), undecided: share(gate.undecided) },
  };
}

/** Swaps the labels of half of the blocks, drawn at random. An attempt keeps its place, so that the order is dealt out with it. */
function dealLabels(records: RecordSet, [baseline, candidate]: [string, string], random: Generator): RecordSet {
  const swapped = new Map<string, boolean>();
  const runs = records.runs.map((numbered) => {
    const { run } = numbered;
    if (run.arm !== baseline && run.arm !== candidate) return numbered;
    const block = JSON.stringify([run.taskID, run.repetition, run.attempt ?? 0]);
    const isSwapped = swapped.get(block) ?? random() < 0.5;
    swapped.set(block, isSwapped);
    return isSwapped ? { ...numbered, run: { ...run, arm: run.arm === baseline ? candidate : baseline } } : numbered;
  });
  return { ...records, runs };
}

/** Where even two arms that are the same are not shown to be within the limit, nothing will be. */
function noiseWarnings({ ratio: { estimate, interval } }: RatioInference, policy: GatePolicy | null): Warning[] {
  const limit = policy?.latency?.maxRatio;
  if (limit === undefined) return [];
  const excess = interval === null || estimate === null ? null : interval.upper / estimate;
  if (excess !== null && excess < limit) return [];
  const found = excess === null ? "it has no interval" : `it reaches ${excess.toPrecision(3)} times its estimate`;
  const message = `The machine, or the number of tasks, is too noisy for a latency limit of ${limit}: between arms that are the same, ${found}.`;
  return [{ code: "latency-too-noisy", message }];
}
