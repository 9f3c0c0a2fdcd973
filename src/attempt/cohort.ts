import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { agents } from "../agent/registry.ts";
import { temporaryFolder } from "../fixture/temporary.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { planBlocks, type Block } from "../plan/blocks.ts";
import { InputError, type Warning } from "../problem.ts";
import type { CohortRecord, RecordLine, RunRecord, StopRecord } from "../record/schema.ts";
import { askVersion, checkInvocations, checkOracles } from "./checks.ts";
import { runAttempt } from "./attempt.ts";
import { gatherEvidence, spendingOf, type Budget } from "./stopping.ts";
import { openSession, promptOf, taskAt, type Session } from "./session.ts";

export interface CohortInput {
  manifest: ResolvedManifest;
  /** The operator's environment. */
  env: Readonly<Record<string, string>>;
  harnessVersion: string;
  nodeVersion: string;
  platform: string;
  signal: AbortSignal;
  /** Only the blocks of this task. */
  task?: string;
  /** Only the first blocks. */
  limitBlocks?: number;
  budget?: Budget;
  /** Ends the cohort once its e-value reaches 1 / alpha; looked at after whole tasks, whose order the seed draws. */
  untilDecided?: { alpha: number; seed: number };
  /** Persists one line; the next attempt starts after it has. */
  write: (line: RecordLine) => Promise<void>;
  onEvent: (event: CohortEvent) => void;
}

/** What happens while a cohort runs, for those who watch. */
export type CohortEvent =
  | { kind: "checked"; done: number; total: number }
  | { kind: "started"; attempts: number; blocks: number }
  | { kind: "attempt"; run: RunRecord; done: number }
  | { kind: "block"; taskID: string; repetition: number; done: number }
  | { kind: "warning"; warning: Warning };

/** How a cohort ended; `runs` is what was recorded, `cohort` is null when nothing was. */
export type CohortEnd = { runs: RunRecord[] } & (
  | { kind: "complete"; cohort: CohortRecord }
  /** A smoke run did all that was asked, which is less than the manifest plans. */
  | { kind: "smoke"; cohort: CohortRecord }
  /** Its evidence sufficed before all tasks were run. */
  | { kind: "decided"; cohort: CohortRecord; stop: StopRecord }
  | { kind: "cancelled"; cohort: CohortRecord | null }
  | { kind: "stopped"; cohort: CohortRecord; reason: string }
);

/**
 * Runs the blocks of a cohort one after the other and hands every record to `write` as it comes.
 * @throws InputError before the first attempt, when the manifest cannot be carried out; whatever `write` rejects with.
 */
export async function runCohort(input: CohortInput): Promise<CohortEnd> {
  const { manifest, env } = input;
  const agent = agents[manifest.agent];
  const blocks = chooseBlocks(input);
  await checkInvocations(manifest, agent, env);
  const folder = await temporaryFolder("session");
  const session = openSession({ manifest, agent, env, folder: folder.path, signal: input.signal });
  try {
    return await runBlocks(input, session, blocks);
  } finally {
    session.discard(folder);
    for (const warning of await session.settle()) input.onEvent({ kind: "warning", warning });
  }
}

function chooseBlocks({ manifest, task, limitBlocks, untilDecided }: CohortInput): Block[] {
  const blocks = planBlocks(manifest.tasks.length, manifest.repetitions, untilDecided?.seed);
  const chosen = task === undefined ? blocks : blocks.filter((block) => taskAt(manifest, block.task).id === task);
  return chosen.slice(0, limitBlocks);
}

async function runBlocks(input: CohortInput, session: Session, blocks: Block[]): Promise<CohortEnd> {
  const { manifest, write, onEvent } = input;
  const runs: RunRecord[] = [];
  const tasks = [...new Set(blocks.map((block) => block.task))];
  const checked = await checkOracles(session, tasks, (done) => onEvent({ kind: "checked", done, total: tasks.length }));
  if (!checked) return { kind: "cancelled", cohort: null, runs };
  const whole = blocks.length === manifest.tasks.length * manifest.repetitions;
  const cohort = describeCohort(input, { agentVersion: await askVersion(session), whole });
  await write({ type: "cohort", cohort });
  onEvent({ kind: "started", attempts: blocks.length * 2, blocks: blocks.length });
  const cohortHome = await makeCohortHome(session);
  const spending = spendingOf(input.budget ?? {});
  const evidence = gatherEvidence(cohort.arms[1]);
  for (const [index, block] of blocks.entries()) {
    const ended = await runBlock(input, session, { block, cohortHome, runs });
    if (ended !== null) return { ...ended, cohort, runs };
    const { id: taskID } = taskAt(manifest, block.task);
    onEvent({ kind: "block", taskID, repetition: block.repetition, done: index + 1 });
    const spent = spending.afterBlock(runs.slice(-2));
    const next = blocks[index + 1];
    if (next === undefined) break;
    if (spent !== null) return { kind: "stopped", reason: spent, cohort, runs };
    if (input.untilDecided === undefined || next.task === block.task) continue;
    const eValue = evidence.afterTask(runs.slice(-2 * manifest.repetitions));
    if (eValue * input.untilDecided.alpha < 1) continue;
    const counts = { plannedBlocks: blocks.length, completedBlocks: index + 1 };
    const stop = { cohort: manifest.cohort, reason: "decided", ...counts, eValue };
    await write({ type: "stop", stop });
    return { kind: "decided", cohort, stop, runs };
  }
  if (spending.unstated() > 0) onEvent({ kind: "warning", warning: unstatedSpending(spending.unstated()) });
  return { kind: whole ? "complete" : "smoke", cohort, runs };
}

function unstatedSpending(attempts: number): Warning {
  const message = `${attempts} attempts did not state what is limited, so that more may have been used than was counted.`;
  return { code: "budget-unseen", message };
}

/**
 * Both attempts of a block; each is recorded as it ends.
 * @returns why the cohort ends here; null where it goes on.
 */
async function runBlock(
  { manifest, write, onEvent }: CohortInput,
  session: Session,
  { block, cohortHome, runs }: { block: Block; cohortHome: string | undefined; runs: RunRecord[] },
): Promise<{ kind: "cancelled" } | { kind: "stopped"; reason: string } | null> {
  for (const position of [0, 1] as const) {
    if (session.signal.aborted) return { kind: "cancelled" };
    const end = await runAttempt({ session, block, position, cohortHome }).catch(stoppedBySystem);
    if (end.kind === "not-started") {
      if (end.cancelled) return { kind: "cancelled" };
      return { kind: "stopped", reason: `task ${taskAt(manifest, block.task).id}: ${end.reason}` };
    }
    runs.push(end.run);
    await write({ type: "run", run: end.run });
    onEvent({ kind: "attempt", run: end.run, done: runs.length });
    end.warnings.forEach((warning) => onEvent({ kind: "warning", warning }));
    if (end.run.outcome === "cancelled") return { kind: "cancelled" };
    if (end.broken !== null) return { kind: "stopped", reason: end.broken };
  }
  return null;
}

/** A full disk or a vanished folder ends the cohort, and keeps what was recorded. Anything else is a bug of ours. */
function stoppedBySystem(error: unknown): { kind: "not-started"; cancelled: false; reason: string } {
  const code = (error as NodeJS.ErrnoException).code;
  if (!(error instanceof InputError) && typeof code !== "string") throw error;
  const reason = error instanceof InputError ? error.message : `the file system refuses (${code})`;
  return { kind: "not-started", cancelled: false, reason };
}

async function makeCohortHome(session: Session): Promise<string | undefined> {
  if (session.manifest.home !== "cohort") return undefined;
  const home = join(session.folder, "home");
  await mkdir(home, { mode: 0o700 });
  return home;
}

function describeCohort(input: CohortInput, known: { agentVersion?: string; whole: boolean }): CohortRecord {
  const { manifest } = input;
  const { agentVersion, whole } = known;
  const childSessions = armsWithChildSessions(input);
  return {
    schemaVersion: 1,
    cohort: manifest.cohort,
    harnessVersion: input.harnessVersion,
    ...(manifest.name === undefined ? {} : { name: manifest.name }),
    model: manifest.model,
    runtimeRevision: manifest.runtimeRevision,
    agent: manifest.agent,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    arms: [manifest.arms[0].name, manifest.arms[1].name],
    tasks: manifest.tasks.map((task) => task.id),
    repetitions: manifest.repetitions,
    ...(whole ? {} : { whole }),
    ...(manifest.margin === undefined ? {} : { margin: manifest.margin }),
    ...(childSessions.length === 0 ? {} : { childSessions }),
    ...(input.untilDecided === undefined ? {} : { untilDecided: input.untilDecided }),
    startedAt: new Date().toISOString(),
    node: input.nodeVersion,
    platform: input.platform,
  };
}

function armsWithChildSessions({ manifest }: CohortInput): string[] {
  const agent = agents[manifest.agent];
  const arms = manifest.arms.filter((arm) =>
    manifest.tasks.some((task) => agent.usesChildSessions?.({ prompt: promptOf(task, arm), config: arm.config })),
  );
  return arms.map(({ name }) => name);
}
