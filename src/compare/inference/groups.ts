import type { NumberedRun } from "../../record/record-set.ts";
import type { CohortPlan } from "../cohort-plan.ts";
import type { PairedCell } from "../pair.ts";
import { counted } from "../wording.ts";
import { infer, type Inference, type NoInference } from "./inference.ts";
import { inferSensitivity, type Sensitivity } from "./sensitivity.ts";

interface Paired {
  /** In the order of model, cohort and task, each with a pair. */
  cells: readonly PairedCell[];
  plans: ReadonlyMap<string, CohortPlan>;
  voided: readonly NumberedRun[];
  baseline: string;
  candidate: string;
}

/** One inference for each model and cohort: pooling them would compare what was never paired. */
export function inferGroups(paired: Paired, options: { margin?: number; isDeclared?: boolean; alpha?: number }) {
  const inferences: Inference[] = [];
  const sensitivity: Sensitivity[] = [];
  const alpha = options.alpha ?? 0.05;
  for (const { model, cohort, tasks } of groupsOf(paired.cells)) {
    const plan = paired.plans.get(cohort);
    const declared = plan?.plan.margin;
    const margin = options.margin ?? declared ?? null;
    const isBeforehand = (given: number) =>
      given === declared || (declared === undefined && options.isDeclared === true);
    const isSequential = plan !== undefined && (plan.plan.untilDecided !== undefined || plan.stop !== null);
    const inference = infer({
      model,
      cohort,
      tasks,
      alpha,
      margin,
      marginDeclared: margin === null ? null : isBeforehand(margin) ? "beforehand" : "afterwards",
      sampling: isSequential ? "until-decided" : "fixed",
    });
    inferences.push(inference);
    const voided = paired.voided.filter(
      ({ run }) =>
        run.model === model && run.cohort === cohort && (run.arm === paired.baseline || run.arm === paired.candidate),
    );
    const question = { alpha, margin };
    const candidateArm = paired.candidate;
    const isFixed = !isSequential;
    sensitivity.push(...inferSensitivity({ model, cohort, tasks, voided, candidateArm, question, isFixed }));
  }
  return { inferences, sensitivity };
}

function groupsOf(cells: readonly PairedCell[]): { model: string; cohort: string; tasks: PairedCell[] }[] {
  const groups: { model: string; cohort: string; tasks: PairedCell[] }[] = [];
  for (const cell of cells) {
    const last = groups.at(-1);
    if (last?.model === cell.model && last.cohort === cell.cohort) last.tasks.push(cell);
    else groups.push({ model: cell.model, cohort: cell.cohort, tasks: [cell] });
  }
  return groups;
}

export function severalGroups(count: number): NoInference {
  const message = `${counted(count, "group")} of one model and cohort each; see inferences[], one a group`;
  return { code: "several-groups", message, needed: null };
}
