import { InputError, type Problem } from "../problem.ts";

/** Gathers problems and keeps the first ones; the rest are counted. */
export interface ProblemList {
  add(problem: Problem): void;
  /** Counts problems without wording them; worth asking `full` for first. */
  addUnnamed(count: number): void;
  /** No further problem will be named. */
  readonly full: boolean;
  /** @throws InputError when there is a problem. */
  throwIfAny(): void;
}

const most = 20;

/** @param file Path as the user gave it, put into every problem. */
export function problemList(file?: string): ProblemList {
  const where = file === undefined ? {} : { file };
  const kept: Problem[] = [];
  let unnamed = 0;
  return {
    add(problem) {
      if (kept.length < most) kept.push({ ...where, ...problem });
      else unnamed++;
    },
    addUnnamed(count) {
      unnamed += count;
    },
    get full() {
      return kept.length >= most;
    },
    throwIfAny() {
      if (kept.length === 0 && unnamed === 0) return;
      const rest =
        unnamed === 0 ? [] : [{ ...where, message: `and ${unnamed} more problem${unnamed === 1 ? "" : "s"}` }];
      throw new InputError([...kept, ...rest]);
    },
  };
}
