import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { agents } from "../agent/registry.ts";
import { isolatedGit } from "../fixture/git.ts";
import { temporaryFolder } from "../fixture/temporary.ts";
import { writeFiles } from "../fixture/work-tree.ts";
import type { ResolvedManifest, ResolvedTask } from "../manifest/resolved.ts";
import { describeVerdict, type OracleRun } from "../oracle/verdict.ts";
import { openConfinement, type ConfinementChoice } from "./confinement.ts";
import { openSession, taskAt, type Session } from "./session.ts";
import { judgeTree, layOut, protectionOf, workspaceIn } from "./workspace.ts";

/** What an oracle is shown, each of which has one right answer. */
const controls = ["fixture", "solution", "empty change", "unrelated change"] as const;
type ControlName = (typeof controls)[number];

interface Control {
  name: ControlName;
  /** `none`: the task has no solution to show. */
  status: "right" | "wrong" | "flaky" | "none";
  /** What the oracle did where that was not right, as a clause; else empty. */
  found: string;
  /** Of the oracle's runs; null without one. */
  slowestMs: number | null;
}

export interface ValidatedTask {
  taskID: string;
  controls: Control[];
  /** A run took more than half of the time that the oracle has. */
  isSlow: boolean;
}

export interface ValidateInput {
  manifest: ResolvedManifest;
  env: Readonly<Record<string, string>>;
  confinement: ConfinementChoice;
  signal: AbortSignal;
  /** Runs of each control, 1 or more: an oracle that is right by chance is found by repeating it. */
  times: number;
  onTask: (done: number, total: number) => void;
}

/** Shows every oracle its controls. @returns null when cancelled. */
export async function validateTasks(input: ValidateInput): Promise<ValidatedTask[] | null> {
  const { manifest, env, signal, times, onTask } = input;
  const agent = agents[manifest.agent];
  const folder = await temporaryFolder("session");
  const tasks: ValidatedTask[] = [];
  try {
    const confinement = await openConfinement({ ...input.confinement, manifest, agent, env, folder: folder.path });
    const session = openSession({ manifest, agent, env, folder: folder.path, signal, confinement });
    try {
      for (const [index, { id, oracleTimeoutMs }] of manifest.tasks.entries()) {
        const found: Control[] = [];
        for (const name of controls) found.push(await tryControl(session, index, name, times));
        if (signal.aborted) return null;
        const isSlow = found.some(({ slowestMs }) => slowestMs !== null && slowestMs > oracleTimeoutMs / 2);
        tasks.push({ taskID: id, controls: found, isSlow });
        onTask(index + 1, manifest.tasks.length);
      }
      return tasks;
    } finally {
      await session.settle();
    }
  } finally {
    await folder.remove();
  }
}

async function tryControl(session: Session, index: number, name: ControlName, times: number): Promise<Control> {
  const task = taskAt(session.manifest, index);
  if (name === "solution" && task.solution.length === 0) return { name, status: "none", found: "", slowestMs: null };
  const runs: (OracleRun | string)[] = [];
  for (let time = 0; time < times && !session.signal.aborted; time++) runs.push(await runControl(session, index, name));
  const wanted = name === "solution" ? "passed" : "failed";
  const isRight = (run: OracleRun | string): boolean => typeof run !== "string" && run.verdict.kind === wanted;
  const wrong = runs.filter((run) => !isRight(run));
  const [first] = wrong;
  const clause = first === undefined ? "" : typeof first === "string" ? first : describeVerdict(first.verdict);
  const elapsed = runs.flatMap((run) => (typeof run === "string" ? [] : [run.elapsedMs]));
  return {
    name,
    status: wrong.length === 0 ? "right" : wrong.length === runs.length ? "wrong" : "flaky",
    found:
      wrong.length === 0 || wrong.length === runs.length
        ? clause
        : `${clause}, in ${wrong.length} of ${runs.length} runs`,
    slowestMs: elapsed.length === 0 ? null : Math.max(...elapsed),
  };
}

/** @returns a clause where the oracle could not be run at all. */
async function runControl(session: Session, index: number, name: ControlName): Promise<OracleRun | string> {
  const task = taskAt(session.manifest, index);
  const [arm] = session.manifest.arms;
  const folder = await temporaryFolder("check");
  try {
    const home = join(folder.path, "home");
    await mkdir(home, { mode: 0o700 });
    const place = { session, task: index, arm, folder: folder.path, home };
    const unfit = await layOut(place);
    if (unfit !== null) return unfit.kind === "cancelled" ? "it was cancelled" : unfit.reason;
    const protection = protectionOf(place);
    await change(session, task, name, workspaceIn(folder.path));
    const judged = await judgeTree(place, protection);
    if (judged.kind === "judged") return judged.oracle;
    return judged.kind === "cancelled" ? "it was cancelled" : `the work tree cannot be copied (${judged.reason})`;
  } finally {
    session.discard(folder);
  }
}

/** Work that solves nothing must not pass: a commit of nothing, and a file that no task asks for. */
async function change(session: Session, task: ResolvedTask, name: ControlName, workspace: string): Promise<void> {
  if (name === "solution") writeFiles(workspace, task.solution);
  if (name === "empty change") {
    const commit = ["commit", "--allow-empty", "--no-verify", "--message", "Change nothing"];
    await isolatedGit(workspace, session.env.PATH ?? "").raw(commit);
  }
  if (name === "unrelated change") writeFileSync(join(workspace, "harness-eval-unrelated.txt"), "Unrelated.\n");
}
