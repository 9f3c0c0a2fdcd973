import type { Cell, Comparison } from "../compare/comparison.ts";

/** The cells of one model and cohort. */
export interface Group {
  model: string;
  cohort: string;
  cells: Cell[];
  /** Cells that are not in `cells`, since a report for people lists only so many. */
  omitted: number;
}

const mostCells = 100;

/** The cells as a report lists them: by model and cohort, the first hundred in all. */
export function groupCells({ cells }: Comparison): Group[] {
  const groups: Group[] = [];
  cells.forEach((cell, index) => {
    let group = groups.at(-1);
    if (group === undefined || group.model !== cell.model || group.cohort !== cell.cohort) {
      group = { model: cell.model, cohort: cell.cohort, cells: [], omitted: 0 };
      groups.push(group);
    }
    if (index < mostCells) group.cells.push(cell);
    else group.omitted++;
  });
  return groups;
}

export function omittedCells(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.omitted, 0);
}
