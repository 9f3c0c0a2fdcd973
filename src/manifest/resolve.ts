import { dirname, resolve } from "node:path";
import { InputError, type Problem } from "../problem.ts";
import { readFolder } from "./folder.ts";
import { pathConflicts } from "./paths.ts";
import {
  featureNames,
  type FeatureName,
  type FixtureFile,
  type ResolvedArm,
  type ResolvedManifest,
  type ResolvedTask,
} from "./resolved.ts";
import type { Manifest, ManifestArm, ManifestFile, ManifestTask } from "./schema.ts";
import { readText } from "./text.ts";

const mostFixtureBytes = 1_000_000;

/** Everything but the cohort id, which is made of it. */
export type Resolution = Omit<ResolvedManifest, "cohort">;

/**
 * Applies defaults and reads every file that a manifest names.
 * @throws InputError naming every problem found.
 */
export async function resolveManifest(manifest: Manifest, path: string): Promise<Resolution> {
  const problems: Problem[] = [];
  const context: Context = { file: path, folder: dirname(resolve(path)), problems };
  const [baseline, candidate] = manifest.arms;
  const arms: [ResolvedArm, ResolvedArm] = [
    resolveArm(context, manifest, baseline, 0),
    resolveArm(context, manifest, candidate, 1),
  ];
  const tasks: ResolvedTask[] = [];
  for (const [index, task] of manifest.tasks.entries())
    tasks.push(await resolveTask(context, manifest, task, `tasks[${index}]`));
  if (problems.length > 0) throw new InputError(problems);
  const { name, description, agent, model, runtimeRevision, repetitions, home, passEnv, margin } = manifest;
  return { path, name, description, agent, model, runtimeRevision, repetitions, home, passEnv, margin, arms, tasks };
}

interface Context {
  /** The manifest's path as given. */
  file: string;
  /** Absolute path of its folder. */
  folder: string;
  problems: Problem[];
}

function resolveArm(context: Context, manifest: Manifest, arm: ManifestArm, index: 0 | 1): ResolvedArm {
  const command = arm.command ?? manifest.command;
  const flag = (feature: FeatureName) => [feature, arm.features?.[feature] ?? false] as const;
  return {
    name: arm.name,
    role: index === 0 ? "baseline" : "candidate",
    command: command === undefined ? [] : locate(context, command),
    commandGiven: command !== undefined,
    features: Object.fromEntries(featureNames.map(flag)) as Record<FeatureName, boolean>,
    toolProfile: arm.toolProfile,
    config: arm.config,
    env: arm.env ?? {},
    sandbox: arm.sandbox ?? manifest.sandbox,
    files: fileList(context, arm.files ?? [], `arms[${index}].files`),
    autonomous: arm.autonomous,
    promptTemplate: arm.promptTemplate,
  };
}

/** A program with a slash lies relative to the manifest; other arguments are the program's own affair. */
function locate(context: Context, [program = "", ...args]: readonly string[]): string[] {
  return [program.includes("/") ? resolve(context.folder, program) : program, ...args];
}

async function resolveTask(
  context: Context,
  manifest: Manifest,
  task: ManifestTask,
  field: string,
): Promise<ResolvedTask> {
  return {
    id: task.id,
    prompt: await textOf(context, field, "prompt", task.prompt, task.promptFile, 16_000),
    files: await fixtureOf(context, field, task),
    oracle: await textOf(context, field, "oracle", task.oracle, task.oracleFile, 24_000),
    oracleTimeoutMs: task.oracleTimeoutMs ?? manifest.oracleTimeoutMs,
    timeoutMs: task.timeoutMs ?? manifest.timeoutMs,
    setup: task.setup ?? [],
    solution: await solutionOf(context, `${field}.solution`, task.solution),
    tags: task.tags ?? [],
  };
}

async function textOf(
  context: Context,
  field: string,
  name: "prompt" | "oracle",
  inline: string | undefined,
  path: string | undefined,
  most: number,
): Promise<string> {
  if (inline !== undefined && path === undefined) return inline;
  if (path === undefined || inline !== undefined) return wrong(context, field, exactlyOne(name, `${name}File`), "");
  const text = await attempt(context, "", () =>
    readText(resolve(context.folder, path), context.file, `${field}.${name}File`),
  );
  if (text.length > most) {
    return wrong(context, `${field}.${name}File`, `the file has ${text.length} characters, more than ${most}`, "");
  }
  return text;
}

async function fixtureOf(context: Context, field: string, task: ManifestTask): Promise<FixtureFile[]> {
  const { files, fixture } = task;
  if ((files === undefined) === (fixture === undefined))
    return wrong(context, field, exactlyOne("files", "fixture"), []);
  const resolved =
    fixture === undefined
      ? fileList(context, files ?? [], `${field}.files`)
      : await attempt(context, [], () =>
          readFolder(resolve(context.folder, fixture), context.file, `${field}.fixture`),
        );
  const bytes = resolved.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > mostFixtureBytes)
    wrong(context, field, `the fixture has ${bytes} bytes, more than ${mostFixtureBytes}`, null);
  return resolved;
}

async function solutionOf(context: Context, field: string, solution: ManifestTask["solution"]): Promise<FixtureFile[]> {
  if (solution === undefined) return [];
  if (typeof solution !== "string") return fileList(context, solution, field);
  return attempt(context, [], () => readFolder(resolve(context.folder, solution), context.file, field));
}

function fileList(context: Context, files: readonly ManifestFile[], field: string): FixtureFile[] {
  for (const { index, message } of pathConflicts(files.map(({ path }) => path))) {
    context.problems.push({ file: context.file, field: `${field}[${index}].path`, value: files[index]?.path, message });
  }
  return files.map(({ path, content }) => ({ path, content: Buffer.from(content, "utf8"), executable: false }));
}

function exactlyOne(one: string, other: string): string {
  return `give exactly one of ${one} and ${other}`;
}

function wrong<T>({ file, problems }: Context, field: string, message: string, instead: T): T {
  problems.push({ file, field, message });
  return instead;
}

/** Goes on after a file that cannot be used, so that all problems are found at once. */
async function attempt<T>(context: Context, instead: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    context.problems.push(...error.problems);
    return instead;
  }
}
