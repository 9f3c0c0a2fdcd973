import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { agents } from "../agent/registry.ts";
import { temporaryFolder } from "../fixture/temporary.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import type { Warning } from "../problem.ts";
import { checkInvocations } from "./checks.ts";
import { checkConfinement, openConfinement, type ConfinementChoice } from "./confinement.ts";
import { runAttempt, type AttemptEnd } from "./attempt.ts";
import { openSession } from "./session.ts";
import { workspaceIn } from "./workspace.ts";

export interface TryInput {
  manifest: ResolvedManifest;
  env: Readonly<Record<string, string>>;
  confinement: ConfinementChoice;
  signal: AbortSignal;
  /** Index of the task. */
  task: number;
  /** Index of the arm. */
  arm: 0 | 1;
  /** Takes the CLI's own standard output as it comes. */
  watch: (chunk: Uint8Array) => void;
  onWarning: (warning: Warning) => void;
}

/**
 * One attempt in the foreground, whose workspace is kept at the path returned.
 * @throws InputError when the agent cannot carry it out.
 */
export async function tryAttempt(input: TryInput): Promise<AttemptEnd & { workspace: string }> {
  const { manifest, env, signal, watch } = input;
  const agent = agents[manifest.agent];
  await checkInvocations(manifest, agent, env);
  const folder = await temporaryFolder("session");
  try {
    const confined = { ...input.confinement, manifest, agent, env, folder: folder.path };
    const confinement = await openConfinement(confined);
    confinement.warnings.forEach(input.onWarning);
    await checkConfinement(confinement, confined);
    const session = openSession({ manifest, agent, env, folder: folder.path, signal, confinement });
    const cohortHome = manifest.home === "cohort" ? join(folder.path, "home") : undefined;
    if (cohortHome !== undefined) await mkdir(cohortHome, { mode: 0o700 });
    const order = input.arm === 0 ? ([0, 1] as const) : ([1, 0] as const);
    const block = { task: input.task, repetition: 0, order };
    const end = await runAttempt({ session, block, position: 0, cohortHome, watch });
    return { ...end, workspace: workspaceIn(end.folder) };
  } finally {
    await folder.remove();
  }
}
