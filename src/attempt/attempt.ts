import type { Warning } from "../problem.ts";
import type { AgentReport } from "../agent/agent.ts";
import { temporaryFolder } from "../fixture/temporary.ts";
import type { ResolvedArm } from "../manifest/resolved.ts";
import type { OracleRun } from "../oracle/verdict.ts";
import type { Block } from "../plan/blocks.ts";
import type { Outcome, RunRecord } from "../record/schema.ts";
import { lineReader } from "../process/lines.ts";
import type { ProcessEnd } from "../process/process.ts";
import { runProcess } from "../process/run.ts";
import { programsOf } from "./confinement.ts";
import { agentEnvironment } from "./environment.ts";
import { commandOf, promptOf, taskAt, type Session } from "./session.ts";
import {
  judgeTree,
  newHome,
  prepareWorkspace,
  protectionOf,
  workspaceIn,
  type Judgement,
  type WorkspaceInput,
} from "./workspace.ts";

/** What came of one attempt. */
export type AttemptEnd =
  | { kind: "recorded"; run: RunRecord; warnings: Warning[]; broken: string | null }
  /** The agent was not started. */
  | { kind: "not-started"; cancelled: boolean; reason: string };

export interface AttemptInput {
  session: Session;
  block: Block;
  /** Of this block, counted from 0. */
  occasion?: number;
  position: 0 | 1;
  /** Absolute path of the cohort's HOME, where the manifest says `home: cohort`. */
  cohortHome?: string;
  /** Keeps the workspace, and passes the CLI's own output through: for one attempt in the foreground. */
  watch?: (chunk: Uint8Array) => void;
}

/** One execution of (block, arm): fixture, oracle, agent, oracle, record, clean-up. */
export async function runAttempt(input: AttemptInput): Promise<AttemptEnd & { folder: string }> {
  const { session, block, position } = input;
  const arm = session.manifest.arms[block.order[position]];
  const isKept = input.watch !== undefined;
  const folder = await temporaryFolder(isKept ? "try" : "attempt", isKept);
  try {
    const home = session.manifest.home === "fresh" ? await newHome(folder.path) : input.cohortHome;
    const place = { session, task: block.task, arm, folder: folder.path, home };
    const unfit = await prepareWorkspace(place);
    if (unfit === null) return { ...(await execute(input, place)), folder: folder.path };
    const reason = unfit.kind === "cancelled" ? "cancelled" : unfit.reason;
    return { kind: "not-started", cancelled: unfit.kind === "cancelled", reason, folder: folder.path };
  } finally {
    if (!isKept) session.discard(folder);
  }
}

async function execute(input: AttemptInput, place: WorkspaceInput): Promise<AttemptEnd> {
  const { session, block, position } = input;
  const { arm, folder, home } = place;
  const { manifest, agent } = session;
  const task = taskAt(manifest, block.task);
  const workspace = workspaceIn(folder);
  const { argv, env } = agent.invoke({
    command: commandOf(agent, arm),
    root: workspace,
    model: manifest.model,
    sandbox: arm.sandbox,
    prompt: promptOf(task, arm),
    features: arm.features,
    toolProfile: arm.toolProfile,
    config: arm.config,
    autonomous: arm.autonomous,
    env: agentEnvironment({ inherited: session.env, passEnv: manifest.passEnv, added: arm.env, home, workspace }),
  });
  const programs = await programsOf(agent, arm, env);
  const sandbox = session.confinement.ofAgent({ folder, workspace, env, programs });
  const protection = protectionOf(place);
  const warnings = await session.settle();
  const reader = agent.reader();
  const lines = lineReader({ line: (text) => reader.line(text), damaged: () => reader.damaged() });
  const startedAt = new Date().toISOString();
  const end = await runProcess({
    argv,
    cwd: workspace,
    env,
    timeoutMs: task.timeoutMs,
    signal: session.signal,
    sandbox,
    stderr: input.watch === undefined ? "ignore" : "inherit",
    onOutput(chunk) {
      input.watch?.(chunk);
      lines.push(chunk);
    },
  });
  lines.end();
  const report = reader.report(!end.timedOut && !end.cancelled && end.outputWhole);
  const outcome = outcomeOf(end, report);
  const judgeable = outcome === "completed" && end.gone;
  const judgement = judgeable ? await judgeTree(place, protection) : null;
  const oracle = judgement?.kind === "judged" ? judgement.oracle : null;
  if (judgement?.kind === "refused" || judgement?.kind === "failed") warnings.push(notJudged(task.id, arm, judgement));
  const { selfReportedFailure, fault: providerFault, ...metrics } = report;
  return {
    kind: "recorded",
    warnings,
    broken: end.gone ? null : "processes of the attempt could not be ended; end them before you go on",
    run: {
      taskID: task.id,
      arm: arm.name,
      model: manifest.model,
      cohort: manifest.cohort,
      repetition: block.repetition,
      outcome: wasCancelled(judgement) ? "cancelled" : outcome,
      verified: oracle?.verdict.kind === "passed",
      elapsedMs: microseconds(end.elapsedMs + (oracle?.elapsedMs ?? 0)),
      ...(oracle === null ? {} : { verificationMs: microseconds(oracle.elapsedMs) }),
      ...metrics,
      schemaVersion: 1,
      attempt: input.occasion ?? 0,
      position,
      startedAt,
      exitCode: end.exitCode,
      signal: end.signal,
      ...oracleField(oracle),
      ...protectedField(judgement),
      ...faultField(end, outcome === "failed" ? providerFault : undefined, judgement),
      fixtureRevision: (await session.fixture(block.task)).revision,
      containment: session.confinement.name,
      leftoverProcesses: end.leftoverProcesses,
    },
  };
}

/** The exit code decides, unless the CLI's own events say that it failed (docs/agents.md has the table). */
function outcomeOf(end: ProcessEnd, report: AgentReport): Outcome {
  if (end.cancelled) return "cancelled";
  if (end.timedOut) return "timeout";
  return end.exitCode === 0 && !report.selfReportedFailure ? "completed" : "failed";
}

/** Classified from facts alone; advisory, so that a fault changes no outcome. */
function faultField(
  end: ProcessEnd,
  providerFault: string | undefined,
  judgement: Judgement | null,
): Pick<RunRecord, "fault"> {
  if (end.spawnError !== null) return { fault: "harness:spawn" };
  if (!end.gone) return { fault: "harness:processes" };
  if (providerFault !== undefined) return { fault: providerFault };
  if (judgement?.kind === "failed") return { fault: "harness:copy" };
  const verdict = judgement?.kind === "judged" ? judgement.oracle.verdict.kind : null;
  if (verdict === "timeout") return { fault: "oracle:timeout" };
  return verdict === "broken" || verdict === "unparsable" ? { fault: "oracle:broken" } : {};
}

function wasCancelled(judgement: Judgement | null): boolean {
  return judgement?.kind === "judged" ? judgement.oracle.verdict.kind === "cancelled" : judgement?.kind === "cancelled";
}

function notJudged(taskID: string, arm: ResolvedArm, { reason }: { reason: string }): Warning {
  const message = `task ${taskID}, arm ${arm.name}: the work tree could not be copied for the oracle (${reason}), so it is not verified`;
  return { code: "not-judged", message };
}

/** Absent where nothing is protected or nothing was judged. */
function protectedField(judgement: Judgement | null): Pick<RunRecord, "protectedChanged"> {
  if (judgement?.kind !== "judged" || judgement.protectedChanged === undefined) return {};
  return { protectedChanged: judgement.protectedChanged };
}

/** Absent when the oracle did not run to an end of its own. */
function oracleField(oracle: OracleRun | null): Pick<RunRecord, "oracle"> {
  switch (oracle?.verdict.kind) {
    case undefined:
    case "cancelled":
      return {};
    case "passed":
      return { oracle: "passed" };
    case "timeout":
      return { oracle: "timeout" };
    case "unparsable":
    case "broken":
      return { oracle: "broken" };
    // Code of the workspace can end the oracle's process in any way, so an odd end is the attempt's, not the oracle's.
    case "failed":
    case "exited":
    case "signalled":
      return { oracle: "failed" };
  }
}

/** Milliseconds, rounded to whole microseconds: the clock gives no more. */
function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
