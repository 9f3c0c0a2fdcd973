import { lstatSync } from "node:fs";
import { cp, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { fingerprint } from "../fixture/fingerprint.ts";
import { copyFixture } from "../fixture/repository.ts";
import { temporaryFolder } from "../fixture/temporary.ts";
import { writeFiles } from "../fixture/work-tree.ts";
import type { ResolvedArm, ResolvedTask } from "../manifest/resolved.ts";
import { describeVerdict, type OracleRun } from "../oracle/verdict.ts";
import { runOracle } from "../oracle/run.ts";
import { runProcess } from "../process/run.ts";
import { taskAt, type Session } from "./session.ts";
import { agentEnvironment } from "./environment.ts";

/** Why a workspace could not be given to an agent; `null` when it can. */
export type Unfit = { kind: "unfit"; reason: string; fix?: string } | { kind: "cancelled" };

export interface WorkspaceInput {
  session: Session;
  /** Index in the manifest. */
  task: number;
  arm: ResolvedArm;
  /** An existing folder that becomes the parent of the workspace. */
  folder: string;
  /** Absolute path of the agent's new HOME, where it gets one. */
  home?: string;
}

/** The work tree that an agent gets inside `folder`. */
export function workspaceIn(folder: string): string {
  return join(folder, "workspace");
}

/** An empty HOME inside `folder` that only this user can enter. */
export async function newHome(folder: string): Promise<string> {
  const home = join(folder, "home");
  await mkdir(home, { mode: 0o700 });
  return home;
}

/**
 * Lays out what the agent will get and proves that the oracle fails on exactly that, with exit code 1. Nothing that the
 * oracle writes reaches the agent: a work tree that it touched is laid out anew, and where commands made it, which might
 * not make it twice alike, the oracle judges a copy.
 */
export async function prepareWorkspace(input: WorkspaceInput): Promise<Unfit | null> {
  const { session, arm, folder } = input;
  const task = taskAt(session.manifest, input.task);
  const fixture = await session.fixture(input.task);
  const workspace = workspaceIn(folder);
  const unready = await layOut(input, workspace);
  if (unready !== null) return unready;
  if (task.setup.length > 0) {
    const judged = join(folder, "control");
    const uncopied = await copyTree(workspace, judged);
    if (uncopied !== null) return uncopied;
    return checkOracle(session, task, judged);
  }
  const before = fingerprint(workspace);
  const unfit = await checkOracle(session, task, workspace);
  if (unfit !== null || fingerprint(workspace) === before) return unfit;
  if (lstatSync(workspace, { throwIfNoEntry: false }) !== undefined) await rename(workspace, join(folder, "touched"));
  await copyFixture(fixture, workspace, arm.files);
  return null;
}

/** What an agent finds: the fixture, the arm's files, and what the commands of `setup` made of them. */
export async function layOut(input: WorkspaceInput, workspace: string): Promise<Unfit | null> {
  const task = taskAt(input.session.manifest, input.task);
  await copyFixture(await input.session.fixture(input.task), workspace, input.arm.files);
  return task.setup.length === 0 ? null : runSetup(input, task, workspace);
}

/** Without the sockets and pipes that a command may have left, which no file system copies. */
async function copyTree(from: string, to: string): Promise<Unfit | null> {
  const filter = (path: string): boolean => {
    const stats = lstatSync(path);
    return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
  };
  try {
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter });
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return { kind: "unfit", reason: `what the commands of \`setup\` left cannot be copied (${code})` };
  }
}

async function runSetup(input: WorkspaceInput, task: ResolvedTask, workspace: string): Promise<Unfit | null> {
  const { session, arm, home } = input;
  const { passEnv } = session.manifest;
  const env = agentEnvironment({ inherited: session.env, passEnv, added: arm.env, home, workspace });
  for (const [index, argv] of task.setup.entries()) {
    const end = await runProcess({ argv, cwd: workspace, env, timeoutMs: task.timeoutMs, signal: session.signal });
    if (end.cancelled) return { kind: "cancelled" };
    const ended = end.spawnError ?? (end.timedOut ? "time-out" : (end.signal ?? `exit code ${end.exitCode}`));
    if (end.exitCode === 0) continue;
    const program = (argv[0] ?? "").slice(0, 60);
    const fix = "run the command by hand in the task's files to see why";
    return { kind: "unfit", reason: `setup[${index}] (${program}) ended with ${ended}`, fix };
  }
  return null;
}

async function checkOracle(session: Session, task: ResolvedTask, judged: string): Promise<Unfit | null> {
  const run = await judge(session, task, judged);
  if (run.verdict.kind === "cancelled") return { kind: "cancelled" };
  if (run.verdict.kind === "failed") return null;
  const reason = `the oracle must fail with exit code 1 on the initial fixture, but ${describeVerdict(run.verdict)}`;
  return { kind: "unfit", reason };
}

/**
 * Shows that the oracle passes on the task's solution, where the task has one. The solution is written into a prepared
 * workspace as an agent would write it, after `setup`; no agent may get that workspace then.
 */
export async function checkSolution(session: Session, index: number, workspace: string): Promise<Unfit | null> {
  const task = taskAt(session.manifest, index);
  if (task.solution.length === 0) return null;
  writeFiles(workspace, task.solution);
  const { verdict } = await judge(session, task, workspace);
  if (verdict.kind === "cancelled") return { kind: "cancelled" };
  if (verdict.kind === "passed") return null;
  const reason = `the oracle must pass on the solution, but ${describeVerdict(verdict)}`;
  return { kind: "unfit", reason, fix: "mend the oracle or the solution" };
}

/** Runs the task's oracle on a workspace, from a new scratch folder that no agent has known. */
export async function judge(session: Session, task: ResolvedTask, workspace: string): Promise<OracleRun> {
  const scratch = await temporaryFolder("oracle");
  try {
    const folder = join(scratch.path, "empty");
    await mkdir(folder, { mode: 0o700 });
    return await runOracle({
      source: task.oracle,
      workspace,
      timeoutMs: task.oracleTimeoutMs,
      folder,
      path: session.env.PATH ?? "",
      signal: session.signal,
      sandbox: session.confinement.ofOracle({ folder: scratch.path, writable: [folder, workspace] }),
    });
  } finally {
    session.discard(scratch);
  }
}
