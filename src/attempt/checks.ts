import { stat } from "node:fs/promises";
import inspector from "node:inspector";
import type { Agent } from "../agent/agent.ts";
import { temporaryFolder } from "../fixture/temporary.ts";
import type { ResolvedArm, ResolvedManifest } from "../manifest/resolved.ts";
import { InputError, type Problem } from "../problem.ts";
import { findExecutable } from "../process/executable.ts";
import { runProcess } from "../process/run.ts";
import { agentEnvironment } from "./environment.ts";
import { commandOf, promptOf, taskAt, type Session } from "./session.ts";
import { checkSolution, newHome, prepareWorkspace } from "./workspace.ts";

/** @throws InputError where this process can be told from outside what to record. */
export function checkDebugger(): void {
  if (inspector.url() === undefined) return;
  const message = "this process listens for a debugger, through which an agent could forge records";
  throw new InputError({ message, fix: "start it without --inspect" });
}

/**
 * What must hold before the first attempt costs money, without starting anything.
 * @throws InputError naming every arm and task that the agent cannot serve, and every program that is not there.
 */
export async function checkInvocations(
  manifest: ResolvedManifest,
  agent: Agent,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const problems: Problem[] = [];
  const missing: Problem[] = [];
  for (const [index, arm] of manifest.arms.entries()) {
    const { path: file, passEnv } = manifest;
    const field = `arms[${index}]`;
    const seen = agentEnvironment({ inherited: env, passEnv, added: arm.env, workspace: "/" });
    problems.push(...refusals(manifest, agent, arm, seen).map((message) => ({ file, field, message })));
    const program = commandOf(agent, arm)[0] ?? "";
    const lack = await lackOf(program, seen);
    if (lack !== null) missing.push({ file, field, value: program, ...lack });
  }
  problems.push(...onceIfShared(missing));
  if ((await findExecutable("git", env)) === null)
    problems.push({ message: "git is not on the PATH", fix: "install it" });
  if (problems.length > 0) throw new InputError(problems);
}

/** Why a program cannot be started; null when it can. */
async function lackOf(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<Problem, "message" | "fix"> | null> {
  if ((await findExecutable(program, env)) !== null) return null;
  if (!program.includes("/")) {
    return { message: "the program is not on the PATH", fix: "install it, or name it in `command`" };
  }
  const there = await stat(program).catch(() => null);
  if (there === null) return { message: "there is no such file", fix: "name the program in `command`" };
  return there.isFile()
    ? { message: "the file is not executable", fix: "chmod +x it" }
    : { message: "this is not a regular file", fix: "name the program in `command`" };
}

/** Where both arms lack the same program, they share the manifest's. */
function onceIfShared(missing: Problem[]): Problem[] {
  const [one, other] = missing;
  const shared = one?.value === other?.value && one?.message === other?.message;
  return one !== undefined && shared ? [{ ...one, field: "command" }] : missing;
}

function refusals(
  manifest: ResolvedManifest,
  agent: Agent,
  arm: ResolvedArm,
  env: Readonly<Record<string, string>>,
): string[] {
  const { model } = manifest;
  const { sandbox, features, toolProfile, config, autonomous } = arm;
  const command = commandOf(agent, arm);
  const reserved = agent.reservedVariables
    .filter((name) => Object.hasOwn(arm.env, name))
    .map((name) => `\`env\` names ${name}, which the harness sets itself`);
  const clauses = manifest.tasks.flatMap((task) => {
    const prompt = promptOf(task, arm);
    return agent.refuses({ command, model, sandbox, prompt, features, toolProfile, config, autonomous, env });
  });
  return [...new Set([...reserved, ...clauses])];
}

/**
 * Shows for every task that its oracle fails on what the agents will get, and passes on the solution where there is one.
 * @param onTask called after each task with the number checked so far.
 * @returns false when cancelled.
 * @throws InputError naming every task whose oracle does not.
 */
export async function checkOracles(session: Session, tasks: readonly number[], onTask: (done: number) => void) {
  const problems: Problem[] = [];
  // An arm's files may hold the very solution, so an arm with files is checked by itself.
  const [baseline, candidate] = session.manifest.arms;
  const arms = candidate.files.length + baseline.files.length === 0 ? [baseline] : [baseline, candidate];
  const { path: file, home: homes } = session.manifest;
  for (const [index, task] of tasks.entries()) {
    const { id } = taskAt(session.manifest, task);
    for (const arm of arms) {
      const folder = await temporaryFolder("check");
      try {
        const home = homes === "inherit" ? undefined : await newHome(folder.path);
        const place = { session, task, arm, folder: folder.path, home };
        const unfit = (await prepareWorkspace(place)) ?? (arm === baseline ? await checkSolution(place) : null);
        if (unfit?.kind === "cancelled") return false;
        if (unfit === null) continue;
        problems.push({ file, field: `tasks[${task}]`, value: id, message: unfit.reason, fix: unfit.fix });
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const where = `task ${id}, arm ${arm.name}`;
        problems.push(
          ...error.problems.map((problem) => ({ ...problem, file, message: `${where}: ${problem.message}` })),
        );
      } finally {
        await folder.remove();
      }
      break;
    }
    onTask(index + 1);
  }
  if (problems.length > 0) throw new InputError(problems);
  return true;
}

/** What the agent's own binary reports as its version; absent when the manifest names the command, or on no answer. */
export async function askVersion(session: Session): Promise<string | undefined> {
  const { agent, manifest, env, folder, signal } = session;
  if (agent.versionArguments === undefined || manifest.arms.some((arm) => arm.commandGiven)) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await runProcess({
    argv: [...agent.defaultCommand, ...agent.versionArguments],
    cwd: folder,
    env: agentEnvironment({ inherited: env, passEnv: manifest.passEnv, added: {}, workspace: folder }),
    timeoutMs: 5000,
    signal,
    onOutput(chunk) {
      bytes += chunk.length;
      if (bytes <= 10_000) chunks.push(chunk);
    },
  });
  // Only what looks like a version may reach a record: output could hold anything.
  return /\d+\.\d+[\w.+-]{0,50}/.exec(Buffer.concat(chunks).toString("utf8"))?.[0];
}
