import { cp, mkdtemp, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { taskScripts, type Edit } from "../../script/demo/task-scripts.ts";
import { loadManifest } from "../../src/manifest/load.ts";
import type { ResolvedTask } from "../../src/manifest/resolved.ts";
import { runOracle } from "../../src/oracle/run.ts";

const { manifest } = await loadManifest(fileURLToPath(new URL("../../manifests/demo.json", import.meta.url)));
const pairs = manifest.tasks.map((task) => ({
  task,
  script: taskScripts.find(({ topic }) => task.prompt.includes(topic)),
}));

test("the demo's manifest plans 4 tasks of 4 repetitions, and only the candidate has the conventions", () => {
  expect(manifest.tasks).toHaveLength(4);
  expect(manifest.repetitions).toBe(4);
  expect(manifest.arms.map(({ files }) => files.map(({ path }) => path))).toEqual([[], ["AGENTS.md"]]);
});

test("every task has its own script, and its rule stands in the conventions", () => {
  const conventions = Buffer.from(manifest.arms[1].files[0]?.content ?? []).toString("utf8");
  for (const { task, script } of pairs) {
    expect(taskScripts.filter(({ topic }) => task.prompt.includes(topic))).toEqual([script]);
    expect(conventions).toContain(script?.rule);
  }
  expect(new Set(pairs.map(({ script }) => script)).size).toBe(taskScripts.length);
});

test.each(pairs)(
  "the oracle of $task.id tells the right edit from the fixture and the wrong edit",
  async ({ task, script }) => {
    expect(await judge(task)).toEqual({ kind: "failed" });
    expect(await judge(task, script?.wrong)).toEqual({ kind: "failed" });
    expect(await judge(task, script?.right)).toEqual({ kind: "passed" });
  },
);

test.each(pairs)("what the model tries in $task.id fits the fixture", ({ task, script }) => {
  const paths = task.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(script?.others ?? []));
  expect(paths).not.toContain(script?.guess);
});

async function judge(task: ResolvedTask, edit?: Edit) {
  const folder = await mkdtemp(join(tmpdir(), "demo-task-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const workspace = join(folder, "workspace");
  await cp(fileURLToPath(new URL(`../../manifests/demo/${task.id}`, import.meta.url)), workspace, { recursive: true });
  if (edit !== undefined) await apply(workspace, edit);
  const scratch = join(folder, "scratch");
  await mkdir(scratch);
  const { verdict } = await runOracle({
    source: task.oracle,
    workspace,
    timeoutMs: 30_000,
    folder: scratch,
    path: process.env.PATH ?? "",
    signal: new AbortController().signal,
  });
  return verdict;
}

async function apply(workspace: string, { path, oldText, newText }: Edit): Promise<void> {
  const file = join(workspace, path);
  const parts = (await readFile(file, "utf8")).split(oldText);
  expect(parts).toHaveLength(2);
  await writeFile(file, parts.join(newText));
}
