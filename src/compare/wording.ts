import type { RunRecord } from "../record/schema.ts";

const longestName = 60;
const mostListed = 5;

/** A name from a record, cut where it is too long to read. */
export function named(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}

/** The first few names, and how many more there are. */
export function listed(names: readonly string[]): string {
  const rest = names.length - mostListed;
  return `${names.slice(0, mostListed).map(named).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** `1 run`, `2 runs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The identity that both arms of a pair share. */
export function blockName({
  taskID,
  repetition,
  model,
  cohort,
}: Pick<RunRecord, "taskID" | "repetition" | "model" | "cohort">): string {
  return `task ${named(taskID)}, repetition ${repetition}, model ${named(model)}, cohort ${named(cohort)}`;
}
