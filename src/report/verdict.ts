import type { Comparison } from "../compare/comparison.ts";
import type { Inference } from "../compare/inference/inference.ts";

/** What one model and cohort establish, in the order of the questions. */
export interface VerdictText {
  model: string;
  cohort: string;
  /** As in `success improved, non-inferior, latency faster`. */
  headline: string;
  /** Sentences of our own making. */
  reasons: string[];
}

/** One for each model and cohort. */
export function verdictTexts({ inference, inferences }: Comparison): VerdictText[] {
  return (inference === null ? inferences : [inference]).map((one) => ({
    model: one.model,
    cohort: one.cohort,
    headline: headline(one),
    reasons: one.verdict.reasons,
  }));
}

function headline({ verdict: { direction, margin, latency } }: Inference): string {
  const facets = [
    `success ${direction}`,
    ...(margin === "not-assessed" ? [] : [margin === "undecided" ? "margin undecided" : margin]),
    ...(latency === "not-assessed" ? [] : [`latency ${latency}`]),
  ];
  return facets.join(", ");
}
