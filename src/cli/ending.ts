import type { CohortEnd } from "../attempt/cohort.ts";
import { counted } from "../compare/wording.ts";

/**
 * The last line of a run: what was recorded, and what to do with it.
 * @param records file that they went to, where it is known.
 */
export function endLine(end: CohortEnd, records = "RECORDS"): string {
  const recorded = `${counted(end.runs.length, "attempt")} recorded`;
  switch (end.kind) {
    case "complete":
      return `${recorded}; ${nextStep(end.cohort.arms, records)}`;
    case "decided": {
      const { completedBlocks, plannedBlocks } = end.stop;
      return `decided after ${completedBlocks} of ${plannedBlocks} blocks; ${recorded}; ${nextStep(end.cohort.arms, records)}`;
    }
    case "smoke":
      return `${recorded}; a smoke run, marked incomplete`;
    case "cancelled":
      return `cancelled; ${recorded}, marked incomplete`;
    case "stopped":
      return `stopped: ${end.reason}; ${recorded}, marked incomplete`;
  }
}

function nextStep(arms: readonly string[], records: string): string {
  const names = arms.some((arm) => arm.startsWith("-")) ? ["--", ...arms] : arms;
  return `compare them with: ${shellLine("harness-eval", "compare", records, ...names)}`;
}

/** How to see why, where attempts ended and none of them completed; null otherwise. */
export function adviceOnFailure({ runs }: CohortEnd, manifest: string): string | null {
  const ended = runs.filter(({ outcome }) => outcome !== "cancelled");
  const [first] = ended;
  if (first === undefined || ended.some(({ outcome }) => outcome === "completed")) return null;
  const line = shellLine("harness-eval", "try", manifest, `--task=${first.taskID}`, `--arm=${first.arm}`);
  return `no attempt completed; to see why: ${line}`;
}

/** Words as a POSIX shell takes them. */
function shellLine(...words: string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
