import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { agents } from "../agent/registry.ts";
import { sweepFolders } from "../fixture/leftovers.ts";
import { temporaryFolder } from "../fixture/temporary.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { planBlocks, type Block } from "../plan/blocks.ts";
import type { Warning } from "../problem.ts";
import { killOrphans } from "../process/orphans.ts";
import type { CohortRecord, RecordLine, RunRecord, StopRecord, VoidRecord } from "../record/schema.ts";
import { askVersion, checkDebugger, checkInvocations, checkOracles } from "./checks.ts";
import { runUntilFair } from "./block.ts";
import { checkConfinement, openConfinement, type ConfinementChoice } from "./confinement.ts";
import { nothingEarlier, type Earlier } from "./resume.ts";
import { evidenceOf, spendingOf, type Budget } from "./stopping.ts";
import { openSession, promptOf, taskAt, type Session } from "./session.ts";

export interface CohortInput {
  manifest: ResolvedManifest;
  /** The operator's environment. */
  env: Readonly<Record<string, string>>;
  confinement: ConfinementChoice;
  harnessVersion: string;
  nodeVersion: string;
  platform: string;
  signal: AbortSignal;
  /** Only the blocks of this task. */
  task?: string;
  /** Only the first blocks. */
  limitBlocks?: number;
  budget?: Budget;
  /** How often a block with a fault is set aside and run again; default 0. */
  retryFaults?: number;
  /** Ends the cohort once its e-value reaches 1 / alpha; looked at after whole tasks, whose order the seed draws. */
  untilDecided?: { alpha: number; seed: number };
  /** What a cut cohort has done, whose remaining blocks are to be run. */
  earlier?: Earlier;
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

/** How a cohort ended; `runs` and `voids` are what was recorded, `cohort` is null when nothing was. */
export type CohortEnd = { runs: RunRecord[]; voids: VoidRecord[] } & (
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
  const planned = chooseBlocks(input);
  checkDebugger();
  await checkInvocations(manifest, agent, env);
  await clearUpAfterTheDead(input);
  const folder = await temporaryFolder("session");
  const warn = (warning: Warning): void => input.onEvent({ kind: "warning", warning });
  try {
    const confined = { ...input.confinement, manifest, agent, env, folder: folder.path };
    const confinement = await openConfinement(confined);
    confinement.warnings.forEach(warn);
    await checkConfinement(confinement, confined);
    const session = openSession({ manifest, agent, env, folder: folder.path, signal: input.signal, confinement });
    try {
      return await runBlocks(input, session, planned);
    } finally {
      (await session.settle()).forEach(warn);
    }
  } finally {
    const warning = await folder.remove();
    if (warning !== null) warn(warning);
  }
}

/** What runs left that were killed: first what may still write, then what it may write to. */
async function clearUpAfterTheDead({ onEvent }: CohortInput): Promise<void> {
  const [processes, folders] = [killOrphans(), await sweepFolders()];
  if (processes + folders === 0) return;
  const message = `Runs that were killed had left ${processes} processes and ${folders} temporary folders; they are gone now.`;
  onEvent({ kind: "warning", warning: { code: "leftovers-removed", message } });
}

function chooseBlocks({ manifest, task, limitBlocks, untilDecided }: CohortInput): Block[] {
  const blocks = planBlocks(manifest.tasks.length, manifest.repetitions, untilDecided?.seed);
  const chosen = task === undefined ? blocks : blocks.filter((block) => taskAt(manifest, block.task).id === task);
  return chosen.slice(0, limitBlocks);
}

async function runBlocks(input: CohortInput, session: Session, planned: Block[]): Promise<CohortEnd> {
  const { manifest, write, onEvent, earlier = nothingEarlier } = input;
  const [runs, voids]: [RunRecord[], VoidRecord[]] = [[], []];
  const blocks = planned.filter(({ task, repetition }) => !earlier.has(taskAt(manifest, task).id, repetition));
  const tasks = [...new Set(blocks.map((block) => block.task))];
  const checked = await checkOracles(session, tasks, (done) => onEvent({ kind: "checked", done, total: tasks.length }));
  if (!checked) return { kind: "cancelled", cohort: null, runs, voids };
  const cohort = describeCohort(input, { agentVersion: await askVersion(session), whole: isWhole(input, planned) });
  await write({ type: "cohort", cohort });
  for (const half of earlier.halves) await write({ type: "void", void: half });
  onEvent({ kind: "started", attempts: blocks.length * 2, blocks: blocks.length });
  const cohortHome = await makeCohortHome(session);
  const spending = spendingOf(input.budget ?? {}, earlier.all);
  const standing = [...earlier.standing];
  for (const [index, block] of blocks.entries()) {
    const stopped = stopBefore(input, { standing, planned, spent: spending.reached() });
    if (stopped?.kind === "stopped") return { ...stopped, cohort, runs, voids };
    if (stopped?.kind === "decided") {
      await write({ type: "stop", stop: stopped.stop });
      return { ...stopped, cohort, runs, voids };
    }
    const made = await runUntilFair(input, session, { block, cohortHome, attemptsBefore: runs.length, spending });
    runs.push(...made.runs);
    voids.push(...made.voids);
    if (made.ended !== null) return { ...made.ended, cohort, runs, voids };
    standing.push(...made.runs.slice(-2));
    const { id: taskID } = taskAt(manifest, block.task);
    onEvent({ kind: "block", taskID, repetition: block.repetition, done: index + 1 });
  }
  if (spending.unstated() > 0) onEvent({ kind: "warning", warning: unstatedSpending(spending.unstated()) });
  return { kind: cohort.whole === false ? "smoke" : "complete", cohort, runs, voids };
}

function isWhole({ manifest }: CohortInput, planned: readonly Block[]): boolean {
  return planned.length === manifest.tasks.length * manifest.repetitions;
}

/** Why no further block is begun; null where one is. */
function stopBefore(
  { manifest, untilDecided }: CohortInput,
  { standing, planned, spent }: { standing: readonly RunRecord[]; planned: readonly Block[]; spent: string | null },
): { kind: "stopped"; reason: string } | { kind: "decided"; stop: StopRecord } | null {
  if (spent !== null) return { kind: "stopped", reason: spent };
  if (untilDecided === undefined) return null;
  const { eValue, atTaskEnd } = evidenceOf(standing, manifest.arms[1].name, manifest.repetitions);
  if (!atTaskEnd || eValue * untilDecided.alpha < 1) return null;
  const counts = { plannedBlocks: planned.length, completedBlocks: standing.length / 2 };
  return { kind: "decided", stop: { cohort: manifest.cohort, reason: "decided", ...counts, eValue } };
}

function unstatedSpending(attempts: number): Warning {
  const message = `${attempts} attempts did not state what is limited, so that more may have been used than was counted.`;
  return { code: "budget-unseen", message };
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
