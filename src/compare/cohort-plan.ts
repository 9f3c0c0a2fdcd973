import type { ProblemList } from "../record/problem-list.ts";
import type { RecordSet } from "../record/record-set.ts";
import type { CohortRecord, StopRecord } from "../record/schema.ts";
import { counted, named } from "./wording.ts";

/** What the cohort lines of one cohort say together, and its stop line. */
export interface CohortPlan {
  cohort: string;
  /** The first of its cohort lines; a resumed file has several. */
  plan: CohortRecord;
  line: number;
  /** All of them, for what may differ between occasions. */
  lines: readonly CohortRecord[];
  /** false: a smoke run, which planned only some of the blocks. */
  whole: boolean;
  stop: { stop: StopRecord; line: number } | null;
}

/** The plans by cohort id. Lines of one cohort that contradict each other are problems. */
export function readPlans({ cohorts, stops }: RecordSet, soleCohort: string | null, problems: ProblemList) {
  const plans = new Map<string, CohortPlan>();
  for (const { cohort, line } of cohorts) {
    const known = plans.get(cohort.cohort);
    if (known === undefined) {
      const whole = cohort.whole ?? true;
      plans.set(cohort.cohort, { cohort: cohort.cohort, plan: cohort, line, lines: [cohort], whole, stop: null });
      continue;
    }
    known.lines = [...known.lines, cohort];
    known.whole ||= cohort.whole ?? true;
    const field = fixedFields.find((name) => JSON.stringify(cohort[name]) !== JSON.stringify(known.plan[name]));
    if (field !== undefined) {
      const message = `contradicts line ${known.line}, which plans the same cohort`;
      problems.add({ line, field: `cohort.${field}`, message, fix: "compare the files apart" });
    }
  }
  for (const { stop, line } of stops) {
    const plan = plans.get(stop.cohort ?? soleCohort ?? "");
    if (plan !== undefined) plan.stop = { stop, line };
  }
  return plans;
}

/** What one cohort id fixes. */
const fixedFields = [
  "model",
  "runtimeRevision",
  "agent",
  "arms",
  "tasks",
  "repetitions",
  "margin",
  "untilDecided",
] as const;

/** The one cohort of the records; null where there are several. */
export function soleCohortOf({ cohorts, runs }: RecordSet): string | null {
  const first = cohorts[0]?.cohort.cohort ?? runs[0]?.run.cohort ?? null;
  const alone = cohorts.every(({ cohort }) => cohort.cohort === first) && runs.every(({ run }) => run.cohort === first);
  return alone ? first : null;
}

/** A void or stop line without a cohort belongs to the one cohort there is; among several it could be anyone's. */
export function refuseUnattributed({ voids, stops }: RecordSet, soleCohort: string | null, problems: ProblemList) {
  if (soleCohort !== null) return;
  const lines = [
    ...voids.map(({ void: { cohort }, line }) => ({ field: "void.cohort", cohort, line })),
    ...stops.map(({ stop: { cohort }, line }) => ({ field: "stop.cohort", cohort, line })),
  ];
  for (const { field, cohort, line } of lines) {
    if (cohort !== undefined) continue;
    const message = "is missing, and there are several cohorts";
    problems.add({ line, field, message, fix: "compare the files apart" });
  }
}

/** Checks the numbers of a stop line against the plan and the whole blocks that were recorded. */
export function refuseContradictedStop(plan: CohortPlan, recordedBlocks: number, problems: ProblemList): void {
  if (plan.stop === null) return;
  const { stop, line } = plan.stop;
  const planned = plan.plan.tasks.length * plan.plan.repetitions;
  if (plan.whole && stop.plannedBlocks !== undefined && stop.plannedBlocks !== planned) {
    const message = `contradicts the plan of cohort ${named(plan.cohort)}, which has ${planned} blocks`;
    problems.add({ line, field: "stop.plannedBlocks", value: stop.plannedBlocks, message });
  }
  if (stop.completedBlocks !== undefined && stop.completedBlocks !== recordedBlocks) {
    const message = `the records hold ${counted(recordedBlocks, "whole block")}`;
    const fix = "records were lost; run the cohort again";
    problems.add({ line, field: "stop.completedBlocks", value: stop.completedBlocks, message, fix });
  }
}
