import { resolve } from "node:path";
import type { ManifestArm } from "./arm.ts";
import { listedFiles, type TaskContents } from "./named-files.ts";
import {
  featureNames,
  ownCommand,
  type FeatureName,
  type JsonObject,
  type ResolvedArm,
  type ResolvedManifest,
  type ResolvedTask,
} from "./resolved.ts";
import type { Manifest } from "./schema.ts";
import type { ManifestTask } from "./task.ts";

/** Everything but the cohort id, which is made of it. */
export type Resolution = Omit<ResolvedManifest, "cohort">;

/**
 * Applies defaults. Where two ways to write something mean the same, the result is the same.
 * @param path of the manifest as the user gave it.
 * @param folder absolute path of its folder.
 * @param namedPaths absolute paths of the manifest and of what was read for its tasks.
 * @param contents of the tasks, by their index.
 */
export function resolveManifest(
  manifest: Manifest,
  contents: readonly TaskContents[],
  { path, folder, namedPaths }: { path: string; folder: string; namedPaths: string[] },
): Resolution {
  const { name, description, agent, model, runtimeRevision, repetitions, home, margin } = manifest;
  const [baseline, candidate] = manifest.arms;
  return {
    ...{ path, namedPaths, name, description, agent, model, runtimeRevision, repetitions, home, margin },
    network: manifest.network === "none" ? "none" : undefined,
    passEnv: manifest.passEnv === undefined ? undefined : [...new Set(manifest.passEnv)].sort(),
    arms: [resolveArm(manifest, baseline, "baseline", folder), resolveArm(manifest, candidate, "candidate", folder)],
    tasks: contents.map((content, index) => resolveTask(manifest, manifest.tasks[index], content)),
  };
}

/** argv of an arm as it is written, or the agent's own. */
export function writtenCommand({ agent, command }: Manifest, arm: ManifestArm | undefined): readonly string[] {
  return arm?.command ?? command ?? ownCommand(agent);
}

function resolveArm(manifest: Manifest, arm: ManifestArm, role: ResolvedArm["role"], folder: string): ResolvedArm {
  const command = writtenCommand(manifest, arm);
  const commandGiven = command.join("\0") !== ownCommand(manifest.agent).join("\0");
  const flag = (feature: FeatureName) => [feature, arm.features?.[feature] ?? false] as const;
  const { name, toolProfile, config = {}, env = {}, autonomous, promptTemplate } = arm;
  return {
    name,
    role,
    command: commandGiven ? located(command, folder) : [],
    commandGiven,
    features: Object.fromEntries(featureNames.map(flag)) as Record<FeatureName, boolean>,
    toolProfile,
    config: Object.keys(config).length === 0 ? undefined : (config as JsonObject),
    env,
    sandbox: arm.sandbox ?? manifest.sandbox,
    files: listedFiles(arm.files ?? []),
    autonomous,
    promptTemplate: promptTemplate === "{prompt}" ? undefined : promptTemplate,
  };
}

/** A program with a slash lies relative to the manifest; other arguments are the program's own affair. */
function located([program = "", ...rest]: readonly string[], folder: string): string[] {
  return [program.includes("/") ? resolve(folder, program) : program, ...rest];
}

function resolveTask(manifest: Manifest, task: ManifestTask | undefined, contents: TaskContents): ResolvedTask {
  return {
    id: task?.id ?? "",
    ...contents,
    oracleTimeoutMs: task?.oracleTimeoutMs ?? manifest.oracleTimeoutMs,
    timeoutMs: task?.timeoutMs ?? manifest.timeoutMs,
    setup: task?.setup ?? [],
    tags: task?.tags ?? [],
    protected: task?.protected === undefined ? undefined : [...new Set(task.protected)].sort(),
  };
}
