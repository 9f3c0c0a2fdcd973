import type { Block } from "../plan/blocks.ts";
import { InputError } from "../problem.ts";
import type { RunRecord, VoidRecord } from "../record/schema.ts";
import { runAttempt } from "./attempt.ts";
import type { CohortInput } from "./cohort.ts";
import { nothingEarlier } from "./resume.ts";
import type { spendingOf } from "./stopping.ts";
import { taskAt, type Session } from "./session.ts";

/** A block with a fault is set aside, both attempts, and run again as often as was asked for. */
export async function runUntilFair(
  input: CohortInput,
  session: Session,
  place: BlockPlace & { spending: ReturnType<typeof spendingOf> },
): Promise<BlockEnd & { voids: VoidRecord[] }> {
  const { manifest, retryFaults = 0, earlier = nothingEarlier, write } = input;
  const { block, spending } = place;
  const { id: taskID } = taskAt(manifest, block.task);
  const first = earlier.occasion(taskID, block.repetition);
  const [runs, voids]: [RunRecord[], VoidRecord[]] = [[], []];
  for (let again = 0; ; again++) {
    const attemptsBefore = place.attemptsBefore + runs.length;
    const made = await runBlock(input, session, { ...place, attemptsBefore, occasion: first + again });
    runs.push(...made.runs);
    spending.add(made.runs);
    const reason = made.runs.find(({ fault }) => fault !== undefined)?.fault;
    const isOver = made.ended !== null || reason === undefined || again >= retryFaults || spending.reached() !== null;
    if (isOver) return { runs, voids, ended: made.ended };
    const void_ = { taskID, repetition: block.repetition, attempt: first + again, cohort: manifest.cohort, reason };
    voids.push(void_);
    await write({ type: "void", void: void_ });
  }
}

interface BlockPlace {
  block: Block;
  cohortHome: string | undefined;
  attemptsBefore: number;
}

interface BlockEnd {
  /** What was recorded, in order. */
  runs: RunRecord[];
  /** Why the cohort ends here; null where it goes on. */
  ended: { kind: "cancelled" } | { kind: "stopped"; reason: string } | null;
}

/** Both attempts of a block; each is recorded as it ends. */
async function runBlock(
  { manifest, write, onEvent }: CohortInput,
  session: Session,
  { block, cohortHome, attemptsBefore, occasion }: BlockPlace & { occasion: number },
): Promise<BlockEnd> {
  const runs: RunRecord[] = [];
  const { id: taskID } = taskAt(manifest, block.task);
  for (const position of [0, 1] as const) {
    if (session.signal.aborted) return { runs, ended: { kind: "cancelled" } };
    const end = await runAttempt({ session, block, occasion, position, cohortHome }).catch(stoppedBySystem);
    if (end.kind === "not-started") {
      if (end.cancelled) return { runs, ended: { kind: "cancelled" } };
      return { runs, ended: { kind: "stopped", reason: `task ${taskID}: ${end.reason}` } };
    }
    runs.push(end.run);
    await write({ type: "run", run: end.run });
    onEvent({ kind: "attempt", run: end.run, done: attemptsBefore + runs.length });
    end.warnings.forEach((warning) => onEvent({ kind: "warning", warning }));
    if (end.run.outcome === "cancelled") return { runs, ended: { kind: "cancelled" } };
    if (end.broken !== null) return { runs, ended: { kind: "stopped", reason: end.broken } };
  }
  return { runs, ended: null };
}

/** A full disk or a vanished folder ends the cohort, and keeps what was recorded. Anything else is a bug of ours. */
function stoppedBySystem(error: unknown): { kind: "not-started"; cancelled: false; reason: string } {
  const code = (error as NodeJS.ErrnoException).code;
  if (!(error instanceof InputError) && typeof code !== "string") throw error;
  const reason = error instanceof InputError ? error.message : `the file system refuses (${code})`;
  return { kind: "not-started", cancelled: false, reason };
}
