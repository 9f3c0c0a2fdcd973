import type { ProblemList } from "../record/problem-list.ts";
import type { NumberedRun } from "../record/record-set.ts";
import type { CohortPlan } from "./cohort-plan.ts";
import type { Pairing } from "./pair.ts";
import { blockName, listed } from "./wording.ts";

/** Runs of a planned cohort that its cohort line does not plan, and cancelled ones: someone ended the cohort there. */
export function refuseUnplanned(
  plans: ReadonlyMap<string, CohortPlan>,
  runs: readonly NumberedRun[],
  problems: ProblemList,
): void {
  const tasksOf = new Map([...plans].map(([cohort, { plan }]) => [cohort, new Set(plan.tasks)]));
  for (const { run, line } of runs) {
    const plan = plans.get(run.cohort)?.plan;
    if (plan === undefined) continue;
    const fix = "compare the records of one manifest";
    const unplanned = (field: "taskID" | "repetition" | "arm" | "model") =>
      problems.add({ line, field, value: run[field], message: "is not in the plan of its cohort", fix });
    if (tasksOf.get(run.cohort)?.has(run.taskID) !== true) unplanned("taskID");
    if (run.repetition >= plan.repetitions) unplanned("repetition");
    if (!plan.arms.includes(run.arm)) unplanned("arm");
    if (run.model !== plan.model) unplanned("model");
    if (run.outcome === "cancelled") {
      const message = `a planned attempt was cancelled: arm ${run.arm}, ${blockName(run)}`;
      problems.add({ line, field: "outcome", value: run.outcome, message, fix: "run the cohort to its end" });
    }
  }
}

/**
 * Planned blocks that are missing in both arms; one arm alone is an unpaired attempt. A smoke run does not say which
 * blocks it planned, and a stop line accounts for the ones that were not run.
 */
export function refuseMissing(
  { plan, cohort, line, whole, stop }: CohortPlan,
  arms: readonly string[],
  pairing: Pairing,
  problems: ProblemList,
): void {
  const foreign = arms.filter((arm) => !plan.arms.includes(arm));
  if (foreign.length > 0) {
    const message = `this cohort has no arm ${listed(foreign)}`;
    problems.add({ line, field: "cohort.arms", value: plan.arms, message, fix: "compare the files apart" });
    return;
  }
  if (!whole || stop !== null) return;
  for (const taskID of new Set(plan.tasks)) {
    const blocks = pairing.cellOf(cohort, plan.model, taskID)?.blocks;
    for (let repetition = 0; repetition < plan.repetitions; repetition++) {
      if (blocks?.has(repetition) === true) continue;
      if (problems.full) {
        problems.addUnnamed(1);
        continue;
      }
      const name = blockName({ taskID, repetition, model: plan.model, cohort });
      const message = `a planned block is missing in both arms: ${name}`;
      problems.add({ line, message, fix: "run the cohort to its end" });
    }
  }
}
