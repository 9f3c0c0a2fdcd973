import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadPolicy } from "../../src/manifest/policy.ts";
import { documentedManifest, repository, scratch } from "./program.ts";

const page = readFileSync(join(repository, "docs/ci.md"), "utf8");
const recipes = Array.from(
  page.matchAll(/```yaml\n(.*?)```/gs),
  ([, text]) => parse(text ?? "") as Record<string, unknown>,
);
const policyText = /```json\n(.*?)```/s.exec(page)?.[1] ?? "";

interface Job {
  steps?: { run?: string; uses?: string }[];
  script?: string[];
}

function shellLines(recipe: Record<string, unknown>): string[] {
  const { steps, script } = (recipe.jobs as { gate: Job } | undefined)?.gate ?? (recipe["agent-gate"] as Job);
  return script ?? (steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run]));
}

/** Runs the lines as the CI would, each in a shell that ends at the first failure; `npx harness-eval` is this checkout. */
function runLines(lines: readonly string[], policy: string) {
  const folder = scratch();
  mkdirSync(join(folder, "eval"));
  writeFileSync(join(folder, "eval/manifest.json"), JSON.stringify({ ...documentedManifest(), repetitions: 1 }));
  writeFileSync(join(folder, "eval/gate.json"), policy);
  const entry = `"${process.execPath}" --import "${join(repository, "node_modules/tsx/dist/loader.mjs")}" "${join(repository, "script/harness-eval.ts")}"`;
  const npx = `npx() { test "$1" = harness-eval && shift && ${entry} "$@"; }\n`;
  const env = { ...process.env, GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "job.md") };
  const codes = lines.map(
    (line) => spawnSync("bash", ["-e", "-c", npx + line], { cwd: folder, env, stdio: "ignore" }).status,
  );
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { codes, read };
}

describe.each([
  ["GitHub Actions", 0, "job.md"],
  ["GitLab", 1, "gate.md"],
] as const)("the recipe for %s", (_, index, summary) => {
  const lines = shellLines(recipes[index]!);

  test("runs the cohort, decides, and leaves its reports", () => {
    const { codes, read } = runLines(lines, JSON.stringify({ success: { margin: 0.9 }, minTasks: 1 }));
    expect(codes).toEqual([0, 0]);
    expect(read("runs.ndjson")).toContain('"incomplete":false');
    expect(read("gate.xml")).toContain('<testsuites name="harness-eval gate"');
    expect(read(summary)).toContain("## Gate passed");
  });

  test("with the policy of the page, two tasks are too few", () => {
    const { codes, read } = runLines(lines, policyText);
    expect(codes).toEqual([0, 3]);
    expect(read(summary)).toContain("Too few: 2 tasks of 10 needed");
  });
});

test("the policy of the page is one, and the page has a row for each field", async () => {
  const path = join(scratch(), "gate.json");
  writeFileSync(path, policyText);
  expect(await loadPolicy(path)).toMatchObject({ success: { margin: 0.05 } });
  const all = {
    success: { margin: 0 },
    latency: { maxRatio: 1 },
    tokens: { maxRatio: 1 },
    cost: { maxRatio: 1 },
    minTasks: 1,
    minPairs: 1,
    maxFaultRate: 0,
    maxProtectedChanged: 0,
    requirePlan: false,
    alpha: 0.05,
    onInconclusive: "fail",
  };
  writeFileSync(path, JSON.stringify(all));
  expect(await loadPolicy(path)).toEqual(all);
  const rows = Array.from(page.matchAll(/^\| `(\w+)(?:\.\w+)?` +\|/gm), ([, name]) => name);
  expect(rows).toEqual(Object.keys(all));
});

test("the recipes keep forks away from secrets", () => {
  const [github, gitlab] = recipes;
  expect(github?.on).toEqual({ workflow_dispatch: null });
  expect(JSON.stringify(gitlab)).toContain('$CI_PIPELINE_SOURCE == \\"web\\"');
  expect(page).toContain("pull_request_target");
});
