import type { Warning } from "../problem.ts";
import type { RecordSet } from "../record/record-set.ts";
import type { CohortRecord, RunRecord } from "../record/schema.ts";
import type { CohortPlan } from "./cohort-plan.ts";
import { isBaselineFirst } from "./inference/order.ts";
import type { PairedCell } from "./pair.ts";
import type { Selection } from "./select.ts";
import { counted, listed, named } from "./wording.ts";

/** What the warnings are made from. */
export interface Circumstances {
  records: RecordSet;
  baseline: string;
  candidate: string;
  plans: ReadonlyMap<string, CohortPlan>;
  selection: Selection;
  /** Those with a pair. */
  cells: readonly PairedCell[];
}

/** What a reader must know before relying on the numbers; docs/comparison.md lists the codes. */
export function findWarnings(circumstances: Circumstances): Warning[] {
  return [
    ...ofCompleteness(circumstances),
    ...ofWhatWasLeftOut(circumstances),
    ...ofFaults(circumstances),
    ...ofGroups(circumstances),
    ...ofCohortLines(circumstances),
    ...ofRuns(circumstances),
  ];
}

function ofCompleteness({ plans, cells, selection }: Circumstances): Warning[] {
  const warnings: Warning[] = [];
  const unplanned = distinct(cells.map((cell) => cell.cohort)).filter((cohort) => !plans.has(cohort));
  if (unplanned.length > 0) {
    const message = `No cohort line states the plan of ${listed(unplanned)}: blocks missing in both arms cannot be noticed.`;
    warnings.push({ code: "completeness-unknown", message });
  }
  const cancelled = selection.compared.filter(({ run }) => run.outcome === "cancelled").length;
  if (cancelled > 0) {
    const message = `${counted(cancelled, "cancelled attempt")} counted as failed; without a plan it cannot be told whether the run was cut there.`;
    warnings.push({ code: "cancelled-counted", message });
  }
  for (const { cohort, plan, whole, stop } of inOrder(plans)) {
    const planned = plan.tasks.length * plan.repetitions;
    const done = cells.reduce((sum, cell) => sum + (cell.cohort === cohort ? cell.pairs.length : 0), 0);
    if (!whole) {
      const message = `Cohort ${named(cohort)} is a smoke run: ${done} of the ${counted(planned, "block")} of its manifest.`;
      warnings.push({ code: "smoke-run", message });
    }
    if (stop !== null) {
      const message = `Cohort ${named(cohort)} stopped early, after ${done} of ${counted(planned, "block")}: its estimates are biased.`;
      warnings.push({ code: "stopped-early", message });
    }
  }
  return warnings;
}

function ofWhatWasLeftOut({ records, selection }: Circumstances): Warning[] {
  const warnings: Warning[] = [];
  const { voided, otherArms } = selection;
  if (records.voids.length > 0) {
    const arms = distinct(voided.map(({ run }) => run.arm)).map((arm) => {
      const runs = voided.filter(({ run }) => run.arm === arm).length;
      return `${named(arm)} ${runs}`;
    });
    const list = arms.length === 0 ? "" : ` (${arms.join(", ")})`;
    const message = `${counted(records.voids.length, "occasion")} of blocks set aside: ${counted(voided.length, "run")} left out${list}.`;
    warnings.push({ code: "occasions-voided", message });
  }
  if (otherArms.size > 0) {
    const runs = [...otherArms.values()].reduce((sum, count) => sum + count, 0);
    const message = `${counted(runs, "run")} of other arms left out: ${listed(distinct([...otherArms.keys()]))}.`;
    warnings.push({ code: "other-arms", message });
  }
  return warnings;
}

/** An arm that meets more faults than the other is judged on other occasions than it. */
function ofFaults({ records, baseline, candidate }: Circumstances): Warning[] {
  const causes = [baseline, candidate].map((arm) => {
    const counts = new Map<string, number>();
    for (const { run } of records.runs) {
      if (run.arm === arm && run.fault !== undefined) counts.set(run.fault, (counts.get(run.fault) ?? 0) + 1);
    }
    const list = [...counts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([fault, count]) => `${named(fault)} ${count}`);
    return { total: [...counts.values()].reduce((sum, count) => sum + count, 0), list: list.join(", ") || "none" };
  });
  const [from, to] = causes;
  if (from === undefined || to === undefined || from.total + to.total === 0) return [];
  const differ = from.list === to.list ? "" : "; they differ between the arms, so look at the sensitivity";
  const message = `Attempts with a fault, those set aside included: ${named(baseline)} ${from.list}; ${named(candidate)} ${to.list}${differ}.`;
  return [{ code: "faults-recorded", message }];
}

function ofGroups({ plans, cells, baseline, candidate }: Circumstances): Warning[] {
  const warnings: Warning[] = [];
  const groups = distinct(cells.map(({ model, cohort }) => JSON.stringify([model, cohort])));
  if (groups.length > 1) {
    const message = `The totals add up ${groups.length} groups of one model and cohort each; read the cells instead.`;
    warnings.push({ code: "several-groups", message });
  }
  for (const { cohort, plan } of inOrder(plans)) {
    if (plan.arms[0] !== candidate || plan.arms[1] !== baseline) continue;
    const message = `Cohort ${named(cohort)} was run with ${named(candidate)} as its baseline; the roles are swapped here.`;
    warnings.push({ code: "roles-swapped", message });
  }
  return warnings;
}

function ofCohortLines({ plans }: Circumstances): Warning[] {
  return inOrder(plans).flatMap(({ cohort, lines }) => {
    const changed = (fields: readonly (keyof CohortRecord)[]) =>
      fields.filter((field) => new Set(lines.flatMap((line) => line[field] ?? [])).size > 1);
    const warn = (code: string, what: string, fields: readonly (keyof CohortRecord)[]): Warning[] =>
      changed(fields).length === 0 ? [] : [notConstant(code, what, cohort)];
    return [
      ...warn("harness-version-varied", "the version of harness-eval", ["harnessVersion"]),
      ...warn("agent-version-varied", "the version that the agent reports", ["agentVersion"]),
      ...warn("machine-varied", "the platform or the version of Node.js", ["node", "platform"]),
    ];
  });
}

function notConstant(code: string, what: string, cohort: string): Warning {
  return { code, message: `Not held constant in cohort ${named(cohort)}: ${what}.` };
}

function ofRuns({ cells }: Circumstances): Warning[] {
  const warnings: Warning[] = [];
  for (const cohort of distinct(cells.map((cell) => cell.cohort))) {
    const own = cells.filter((cell) => cell.cohort === cohort);
    if (varies(own, "containment")) warnings.push(notConstant("containment-varied", "containment", cohort));
    const fixtures = own.filter((cell) => varies([cell], "fixtureRevision")).map((cell) => cell.taskID);
    if (fixtures.length > 0) {
      warnings.push(notConstant("fixture-varied", `the fixture of ${listed(distinct(fixtures))}`, cohort));
    }
    const order = orderOf(own);
    if (Math.abs(order.baselineFirst - order.candidateFirst) > 1) {
      const message = `Unbalanced order in cohort ${named(cohort)}: the baseline went first in ${counted(order.baselineFirst, "block")}, the candidate in ${order.candidateFirst}.`;
      warnings.push({ code: "order-unbalanced", message });
    }
  }
  return warnings;
}

function varies(cells: readonly PairedCell[], field: "containment" | "fixtureRevision"): boolean {
  let seen: RunRecord[typeof field];
  for (const { pairs } of cells) {
    for (const { baseline, candidate } of pairs) {
      for (const { run } of [baseline, candidate]) {
        if (run[field] === undefined) continue;
        seen ??= run[field];
        if (run[field] !== seen) return true;
      }
    }
  }
  return false;
}

function orderOf(cells: readonly PairedCell[]): { baselineFirst: number; candidateFirst: number } {
  const order = { baselineFirst: 0, candidateFirst: 0 };
  for (const { pairs } of cells) {
    for (const pair of pairs) {
      const baselineFirst = isBaselineFirst(pair);
      if (baselineFirst !== null) order[baselineFirst ? "baselineFirst" : "candidateFirst"]++;
    }
  }
  return order;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** By cohort id, whatever the order of the lines. */
function inOrder(plans: ReadonlyMap<string, CohortPlan>): CohortPlan[] {
  return distinct([...plans.keys()]).flatMap((cohort) => plans.get(cohort) ?? []);
}
