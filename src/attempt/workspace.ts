import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { copyFinalTree, type FinalTree } from "../fixture/final-tree.ts";
import { protectionIn, type Protection } from "../fixture/protection.ts";
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
 * Lays out what the agent will get and proves that the oracle fails on exactly that, with exit code 1. The oracle judges a copy,
 * so that nothing which it writes reaches the agent.
 */
export async function prepareWorkspace(input: WorkspaceInput): Promise<Unfit | null> {
  const unready = await layOut(input);
  if (unready !== null) return unready;
  const judged = await judgeTree(input);
  if (judged.kind === "cancelled") return judged;
  if (judged.kind !== "judged")
    return { kind: "unfit", reason: `what \`setup\` left cannot be copied (${judged.reason})` };
  const { verdict } = judged.oracle;
  if (verdict.kind === "cancelled") return { kind: "cancelled" };
  if (verdict.kind === "failed") return null;
  const reason = `the oracle must fail with exit code 1 on the initial fixture, but ${describeVerdict(verdict)}`;
  return { kind: "unfit", reason };
}

/** What an agent finds: the fixture, the arm's files, and what the commands of `setup` made of them. */
export async function layOut(input: WorkspaceInput): Promise<Unfit | null> {
  const { session, arm, folder } = input;
  const task = taskAt(session.manifest, input.task);
  const workspace = workspaceIn(folder);
  await copyFixture(await session.fixture(input.task), workspace, arm.files);
  return task.setup.length === 0 ? null : runSetup(input, task, workspace);
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

/**
 * Shows that the oracle passes on the task's solution, where the task has one. The solution is written into a prepared
 * workspace as an agent would write it, after `setup`; no agent may get that workspace then.
 */
export async function checkSolution(input: WorkspaceInput): Promise<Unfit | null> {
  const task = taskAt(input.session.manifest, input.task);
  if (task.solution.length === 0) return null;
  const protection = protectionOf(input);
  writeFiles(workspaceIn(input.folder), task.solution);
  const judged = await judgeTree(input, protection);
  if (judged.kind === "cancelled") return judged;
  const fix = "mend the oracle or the solution";
  if (judged.kind !== "judged")
    return { kind: "unfit", reason: `the solution cannot be judged (${judged.reason})`, fix };
  const { verdict } = judged.oracle;
  if (verdict.kind === "cancelled") return { kind: "cancelled" };
  if (verdict.kind === "passed") return null;
  return { kind: "unfit", reason: `the oracle must pass on the solution, but ${describeVerdict(verdict)}`, fix };
}

/** To be asked before the agent starts; undefined where nothing is protected. */
export function protectionOf({ session, task, folder }: WorkspaceInput): Protection | undefined {
  const globs = taskAt(session.manifest, task).protected;
  return globs === undefined ? undefined : protectionIn(workspaceIn(folder), globs);
}

/** What became of a work tree: the oracle's run on a copy of it, or why there was none. */
export type Judgement =
  { kind: "judged"; oracle: OracleRun; protectedChanged?: number } | Exclude<FinalTree, { kind: "copied" }>;

/** Runs the oracle on a copy of the workspace, in folders that no agent has known. */
export async function judgeTree(input: WorkspaceInput, protection?: Protection): Promise<Judgement> {
  const { session, arm } = input;
  const task = taskAt(session.manifest, input.task);
  const scratch = await temporaryFolder("oracle");
  try {
    const [tree, folder] = [join(scratch.path, "workspace"), join(scratch.path, "empty")];
    const copied = await copyFinalTree({
      from: workspaceIn(input.folder),
      to: tree,
      fixture: await session.fixture(input.task),
      overlay: arm.files,
      protection,
      signal: session.signal,
    });
    if (copied.kind !== "copied") return copied;
    await mkdir(folder, { mode: 0o700 });
    const oracle = await runOracle({
      source: task.oracle,
      workspace: tree,
      timeoutMs: task.oracleTimeoutMs,
      folder,
      path: session.env.PATH ?? "",
      signal: session.signal,
      sandbox: session.confinement.ofOracle({ folder: scratch.path, writable: [folder, tree] }),
    });
    return { ...copied, kind: "judged", oracle };
  } finally {
    session.discard(scratch);
  }
}
