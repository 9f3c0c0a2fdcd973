import type { NumberedRun } from "../record/record-set.ts";

/** Both arms' attempts of one block. */
export interface Pair {
  baseline: NumberedRun;
  candidate: NumberedRun;
}

/** What was recorded of one block; a side without an attempt is null. */
interface Block {
  baseline: NumberedRun | null;
  candidate: NumberedRun | null;
}

/** The blocks of one task, model and cohort. */
export interface PairedCell {
  taskID: string;
  model: string;
  cohort: string;
  /** By repetition. */
  blocks: ReadonlyMap<number, Block>;
  /** The whole blocks, in the order of their repetitions. */
  pairs: Pair[];
}

export interface Pairing {
  /** In the order of model, cohort and task, by code units. */
  cells: PairedCell[];
  /** Attempts whose partner is missing. */
  unpaired: NumberedRun[];
  /** Attempts with the identity of an earlier one; they are in no block. */
  duplicates: { first: NumberedRun; again: NumberedRun }[];
  cellOf(cohort: string, model: string, taskID: string): PairedCell | undefined;
}

/**
 * Makes pairs by identity: equal task, model, cohort and repetition, one attempt of each arm. The only place that does.
 * @param runs Attempts of the two arms only.
 */
export function pairRuns(runs: readonly NumberedRun[], baselineArm: string): Pairing {
  const index = new Map<string, Map<string, Map<string, MutableCell>>>();
  const cells: MutableCell[] = [];
  const duplicates: Pairing["duplicates"] = [];
  let cell: MutableCell | null = null;
  for (const numbered of runs) {
    const { run } = numbered;
    if (cell === null || cell.taskID !== run.taskID || cell.model !== run.model || cell.cohort !== run.cohort) {
      const byTask = inner(inner(index, run.cohort), run.model);
      cell = byTask.get(run.taskID) ?? null;
      if (cell === null) {
        cell = { taskID: run.taskID, model: run.model, cohort: run.cohort, blocks: new Map(), pairs: [] };
        byTask.set(run.taskID, cell);
        cells.push(cell);
      }
    }
    let block = cell.blocks.get(run.repetition);
    if (block === undefined) {
      block = { baseline: null, candidate: null };
      cell.blocks.set(run.repetition, block);
    }
    const side = run.arm === baselineArm ? "baseline" : "candidate";
    const first = block[side];
    if (first === null) block[side] = numbered;
    else duplicates.push({ first, again: numbered });
  }
  const unpaired = cells.flatMap(splitBlocks);
  cells.sort(inOrder);
  return { cells, unpaired, duplicates, cellOf: (cohort, model, task) => index.get(cohort)?.get(model)?.get(task) };
}

type MutableCell = PairedCell & { blocks: Map<number, Block> };

/** Fills the cell's pairs and gives what remains. */
function splitBlocks(cell: MutableCell): NumberedRun[] {
  const unpaired: NumberedRun[] = [];
  for (const { baseline, candidate } of cell.blocks.values()) {
    if (baseline !== null && candidate !== null) cell.pairs.push({ baseline, candidate });
    else unpaired.push(...[baseline, candidate].filter((side) => side !== null));
  }
  cell.pairs.sort((a, b) => a.baseline.run.repetition - b.baseline.run.repetition);
  return unpaired;
}

function inOrder(a: PairedCell, b: PairedCell): number {
  return byCodeUnits(a.model, b.model) || byCodeUnits(a.cohort, b.cohort) || byCodeUnits(a.taskID, b.taskID);
}

/** The same order on every machine, whatever its locale. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function inner<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let found = map.get(key);
  if (found === undefined) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}
