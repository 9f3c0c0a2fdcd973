import Table from "cli-table3";
import { formatMilliseconds } from "./numbers.ts";
import { fit, plain, wrap } from "./plain.ts";

/** One task's controls, as the attempt layer finds them. */
export interface ValidationRow {
  taskID: string;
  controls: { name: string; status: "right" | "wrong" | "flaky" | "none"; found: string; slowestMs: number | null }[];
  isSlow: boolean;
}

/** A table of tasks and controls, and a line for each that is not right; 80 columns. */
export function renderValidation(tasks: readonly ValidationRow[]): string {
  const names = tasks[0]?.controls.map(({ name }) => name.replace(" ", "\n")) ?? [];
  const table = new Table({
    head: ["task", ...names, "slowest\noracle"],
    style: { head: [], border: [], compact: true },
    colAligns: ["left", ...names.map(() => "left" as const), "right"],
  });
  for (const { taskID, controls } of tasks) {
    const slowest = Math.max(...controls.map(({ slowestMs }) => slowestMs ?? 0));
    table.push([fit(plain(taskID), 22), ...controls.map(({ status }) => status), formatMilliseconds(slowest)]);
  }
  const notes = tasks.flatMap(({ taskID, controls, isSlow }) => [
    ...controls
      .filter(({ status }) => status === "wrong" || status === "flaky")
      .map(({ name, status, found }) => `${plain(taskID)}, ${name}: ${status}, ${plain(found)}`),
    ...(isSlow ? [`${plain(taskID)}: slow, a run took more than half of the oracle's time`] : []),
  ]);
  return `${[table.toString(), ...notes.flatMap((note) => wrap(note, 80))].join("\n")}\n`;
}
