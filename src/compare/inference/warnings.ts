import type { Warning } from "../../problem.ts";
import { counted, named } from "../wording.ts";
import type { Inference } from "./inference.ts";
import type { Sensitivity } from "./sensitivity.ts";

/** Below this many tasks intervals may cover less often than they say (docs/statistics.md has the figures). */
export const fewTasks = 10;

export function inferenceWarnings(inferences: readonly Inference[]): Warning[] {
  return inferences.flatMap(({ tasks, sampling, marginDeclared, margin, order, cohort, verdict }) => {
    const warnings: Warning[] = [];
    if (tasks < fewTasks) {
      const risk = verdict.nonInferior === true ? ", and non-inferiority is claimed too readily" : "";
      const message = `Only ${counted(tasks, "task")}: where a large effect sits on one or two of them, intervals cover less often than they say${risk}; take ${fewTasks} or more.`;
      warnings.push({ code: "few-tasks", message });
    }
    if (sampling === "until-decided") {
      const message = `Cohort ${named(cohort)} could stop on what it had seen: an e-value takes the place of p-values and intervals, and its estimates are biased away from 0.`;
      warnings.push({ code: "optional-stopping", message });
    }
    if (marginDeclared === "afterwards") {
      const message = `The margin of ${margin} was not declared beforehand: a margin chosen after the data proves nothing.`;
      warnings.push({ code: "margin-afterwards", message });
    }
    if (order.interval !== null && (order.interval.lower > 0 || order.interval.upper < 0)) {
      const message = `Place within the pair matters: running second changes success by ${((order.effect ?? 0) * 100).toFixed(1)} points${order.balanced === true ? "; the order is balanced, so that the difference is not biased by it" : ", and the order is not balanced"}.`;
      warnings.push({ code: "order-effect", message });
    }
    return warnings;
  });
}

/** Where another treatment of doubtful attempts changes the answer, the answer rests on that treatment. */
export function sensitivityWarnings(all: readonly Sensitivity[]): Warning[] {
  return all.flatMap((entry) => {
    const main = all.find(
      ({ analysis, model, cohort }) => analysis === "all-attempts" && model === entry.model && cohort === entry.cohort,
    );
    if (main === undefined || (entry.direction === main.direction && entry.margin === main.margin)) return [];
    const facet = entry.direction === main.direction ? `margin ${entry.margin}` : `direction ${entry.direction}`;
    const instead = entry.direction === main.direction ? main.margin : main.direction;
    const message = `The answer depends on doubtful attempts: with ${entry.analysis} (${entry.affectedPairs} pairs) it is ${facet}, not ${instead}.`;
    return [{ code: "sensitivity-differs", message }];
  });
}
