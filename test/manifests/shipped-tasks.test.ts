import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { shippedManifests } from "../../script/shipped-manifests/manifests.ts";
import { loadManifest } from "../../src/manifest/load.ts";
import { featureNames, type FixtureFile, type ResolvedTask } from "../../src/manifest/resolved.ts";
import { runOracle } from "../../src/oracle/run.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const shipped = await shippedManifests();
const { manifest } = await loadManifest(join(root, "manifests/ax-code/all-flags.json"));
const temporary = await mkdtemp(join(tmpdir(), "shipped-tasks-"));
afterAll(() => rm(temporary, { recursive: true, force: true }));

test("the manifests for ax-code are the ones that script/shipped-manifests.ts writes", async () => {
  const names = await readdir(join(root, "manifests/ax-code"));
  expect(names.map((name) => join("manifests/ax-code", name)).sort()).toEqual([...shipped.keys()].sort());
  for (const [path, text] of shipped) expect(await readFile(join(root, path), "utf8"), path).toBe(text);
});

test("they load without a warning, and set each flag alone and all together against none", async () => {
  const flags = new Map<string, string[]>();
  for (const path of shipped.keys()) {
    const { manifest: loaded, warnings } = await loadManifest(join(root, path));
    expect(warnings, path).toEqual([]);
    const [none, some] = loaded.arms.map(({ features }) => featureNames.filter((name) => features[name]));
    expect(none, path).toEqual([]);
    flags.set(path, some ?? []);
    expect(loaded.tasks.map(({ id }) => id)).toEqual(manifest.tasks.map(({ id }) => id));
  }
  expect([...flags.values()]).toEqual([...featureNames.map((name) => [name]), [...featureNames]]);
});

test("they hold every task that ships", async () => {
  const entries = await readdir(join(root, "manifests/tasks"), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(manifest.tasks.map(({ id }) => id)).toEqual(folders.sort());
  expect(folders.length).toBeGreaterThanOrEqual(8);
});

test.concurrent.each(manifest.tasks)(
  "the oracle of $id fails on the fixture and on wrong solutions, and passes on the solution",
  async (task) => {
    const wrong = await readdir(join(root, "test/tasks", task.id));
    expect(wrong.length).toBeGreaterThanOrEqual(2);
    const solution = await workspaceOf(task, task.solution);
    const before = await contents(solution);
    expect(await judge(task, solution)).toEqual({ kind: "passed" });
    expect(await contents(solution), "the oracle writes nothing").toEqual(before);
    expect(await judge(task, await workspaceOf(task))).toEqual({ kind: "failed" });
    for (const name of wrong) {
      const workspace = await workspaceOf(task);
      await cp(join(root, "test/tasks", task.id, name), workspace, { recursive: true });
      expect(await judge(task, workspace), name).toEqual({ kind: "failed" });
    }
  },
);

test.concurrent.each(manifest.tasks)("the tests in $id pass, before and after the solution", async (task) => {
  for (const files of [[], task.solution]) {
    expect(await exitCode([process.execPath, "--test"], await workspaceOf(task, files))).toBe(0);
  }
});

test("the types of the TypeScript tasks hold, before and after the solution", async () => {
  const typed = manifest.tasks.filter(({ tags }) => tags.includes("typescript"));
  const folder = await mkdtemp(join(temporary, "typed-"));
  for (const task of typed) {
    await write(join(folder, task.id, "before"), task.files);
    await write(join(folder, task.id, "after"), [...task.files, ...task.solution]);
  }
  const project = join(folder, "tsconfig.json");
  const options = { types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
  const fixtures = join(folder, typed[0]?.id ?? "", "before/tsconfig.json");
  await writeFile(project, JSON.stringify({ extends: fixtures, include: ["*/*/src", "*/*/types"] }));
  const parsed = ts.getParsedCommandLineOfConfigFile(project, options, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => expect.fail(JSON.stringify(messageText)),
  });
  const fileNames = parsed?.fileNames ?? [];
  expect(fileNames.filter((name) => name.endsWith(".d.ts"))).toHaveLength(2 * typed.length);
  // Asked file by file: with the whole program the compiler would check the declarations of Node as well.
  const program = ts.createProgram(fileNames, parsed?.options ?? {});
  const found = fileNames.flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  expect(
    [...found, ...program.getOptionsDiagnostics()].map(({ file, messageText }) => [file?.fileName, messageText]),
  ).toEqual([]);
});

async function workspaceOf(task: ResolvedTask, over: readonly FixtureFile[] = []): Promise<string> {
  const workspace = await mkdtemp(join(temporary, "workspace-"));
  await write(workspace, [...task.files, ...over]);
  return workspace;
}

async function write(folder: string, files: readonly FixtureFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function contents(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length), await readFile(path, "utf8")] satisfies [string, string]),
    ),
  );
}

async function judge(task: ResolvedTask, workspace: string) {
  const { verdict } = await runOracle({
    source: task.oracle,
    workspace,
    timeoutMs: task.oracleTimeoutMs,
    folder: await mkdtemp(join(temporary, "oracle-")),
    path: process.env.PATH ?? "",
  });
  return verdict;
}

/** NODE_TEST_CONTEXT and the like stay out, or Node's test runner would skip what it is asked to run. */
async function exitCode([program = "", ...parameters]: string[], cwd: string): Promise<number | null> {
  const child = spawn(program, parameters, { cwd, env: { PATH: process.env.PATH }, stdio: "ignore" });
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("exit", resolve);
  });
}
