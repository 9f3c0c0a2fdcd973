import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/record/schema.ts";
import { patternTasks, repeat } from "../compare/patterns.ts";
import { runMain, scratch } from "./program.ts";

interface Given {
  runs: readonly RunRecord[];
  policy?: unknown;
  arguments?: string[];
  env?: Record<string, string>;
}

async function gate({ runs, policy = { success: { margin: 0.1 } }, arguments: more = [], env = {} }: Given) {
  const folder = scratch();
  const [records, policyFile] = [join(folder, "runs.ndjson"), join(folder, "gate.json")];
  writeFileSync(records, runs.map((run) => `${JSON.stringify({ type: "run", run })}\n`).join(""));
  writeFileSync(policyFile, typeof policy === "string" ? policy : JSON.stringify(policy));
  const argv = ["gate", records, "baseline", "candidate", "--policy", policyFile];
  const withFolder = more.map((argument) => argument.replace("FOLDER", folder));
  return { ...(await runMain([...argv, ...withFolder], { env: { GITHUB_ACTIONS: "", ...env } })), folder };
}

const equal = patternTasks(repeat("bbb", 40));
const worse = patternTasks(repeat("---", 12));
const few = patternTasks(repeat("b", 8));

test.each([
  ["passed", equal, undefined, 0],
  ["failed", worse, undefined, 1],
  ["undecided", few, undefined, 3],
  ["undecided, which the policy takes as fail", few, "fail", 1],
  ["undecided, which the policy takes as pass", few, "pass", 0],
  ["undecided, which the policy takes as neutral", few, "neutral", 0],
])("%s: one line on standard output, and the exit code", async (words, runs, onInconclusive, expected) => {
  const policy = { success: { margin: 0.1 }, ...(onInconclusive === undefined ? {} : { onInconclusive }) };
  const { code, stdout, stderr } = await gate({ runs, policy });
  expect(code).toBe(expected);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^[^\n]+\n$/);
  expect(stdout.startsWith(`gate ${words}: Success `)).toBe(true);
});

test.each([
  [
    "an unknown key",
    { success: { margin: 0.1 }, latancy: { maxRatio: 2 } },
    "latancy: unknown key; did you mean latency?",
  ],
  [
    "an unknown key inside",
    { success: { margin: 0.1, max: 1 } },
    "success.max: unknown key; remove it; known here: margin",
  ],
  ["no margin", {}, "success: the field is missing; add it"],
  ["an impossible margin", { success: { margin: 1.5 } }, "success.margin: must be at most 1 (found 1.5)"],
  ["an impossible ratio", { success: { margin: 0 }, cost: { maxRatio: 0 } }, "cost.maxRatio: must be"],
  ["an unknown word", { success: { margin: 0 }, onInconclusive: "passs" }, "did you mean pass?"],
  ["a key twice", '{"success":{"margin":0.1},"success":{"margin":1}}', "success"],
  ["no JSON", "{", "not valid JSON"],
  ["an empty file", "", "the file is empty; write a JSON object into it"],
])("a policy with %s is refused in one line", async (_, policy, words) => {
  const { code, stdout, stderr } = await gate({ runs: equal, policy });
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain(words);
  expect(stderr).toContain("gate.json:");
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test("an empty or incomplete cohort never passes", async () => {
  const policy = { success: { margin: 1 }, onInconclusive: "pass" };
  for (const runs of [[], equal.slice(1)]) expect((await gate({ runs, policy })).code).toBe(2);
});

describe("--junit", () => {
  const xmlOf = async (given: Given) => {
    const { folder, code } = await gate({ ...given, arguments: ["--junit", "FOLDER/gate.xml"] });
    const text = readFileSync(join(folder, "gate.xml"), "utf8");
    expect(XMLValidator.validate(text)).toBe(true);
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: "",
      isArray: (name) => name === "testcase",
    });
    return { code, text, parsed: parser.parse(text) as { testsuites: { testsuite: Record<string, unknown> } } };
  };

  test("has a test case for each question, and counts what is wrong", async () => {
    const policy = { success: { margin: 0.1 }, latency: { maxRatio: 1 }, minTasks: 2 };
    const { code, parsed } = await xmlOf({ runs: worse, policy });
    expect(code).toBe(1);
    const { testsuite } = parsed.testsuites;
    expect(testsuite).toMatchObject({
      name: "candidate against baseline",
      tests: "4",
      failures: "1",
      errors: "0",
      skipped: "1",
    });
    const cases = testsuite.testcase as Record<string, { message: string }>[];
    expect(cases.map(({ name }) => name)).toEqual(["protected files", "size", "success", "latency"]);
    expect(cases[2]?.failure?.message).toContain("Success is inferior");
    expect(cases[3]?.skipped?.message).toContain("is not judged");
  });

  test("an undecided gate is an error, unless the policy lets it pass", async () => {
    const undecided = await xmlOf({ runs: few });
    expect(undecided.parsed.testsuites.testsuite).toMatchObject({ failures: "0", errors: "1", skipped: "0" });
    const policy = { success: { margin: 0.1 }, onInconclusive: "neutral" };
    const neutral = await xmlOf({ runs: few, policy });
    expect(neutral.parsed.testsuites.testsuite).toMatchObject({ failures: "0", errors: "0", skipped: "1" });
  });

  test("names from records cannot inject markup", async () => {
    const runs = few.map((run) => ({ ...run, arm: run.arm === "candidate" ? `candidate` : run.arm, fault: "x" }));
    const name = '"><evil a="]]>&\u0001';
    const folder = scratch();
    const [records, policy, xml] = ["r", "p", "x"].map((file) => join(folder, file)) as [string, string, string];
    const lines = runs.map(
      (run) => `${JSON.stringify({ type: "run", run: { ...run, arm: run.arm === "candidate" ? name : run.arm } })}\n`,
    );
    writeFileSync(records, lines.join(""));
    writeFileSync(policy, JSON.stringify({ success: { margin: 0.1 }, maxFaultRate: 0.5 }));
    await runMain(["gate", records, "baseline", name, "--policy", policy, "--junit", xml]);
    const text = readFileSync(xml, "utf8");
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).not.toContain("<evil");
    expect(text).not.toContain("\u0001");
  });
});

describe("--summary", () => {
  test("is Markdown with the decision first, short enough for a comment", async () => {
    const { folder } = await gate({ runs: equal, arguments: ["--summary", "FOLDER/summary.md"] });
    const text = readFileSync(join(folder, "summary.md"), "utf8");
    expect(text.startsWith("## Gate passed\n\n|")).toBe(true);
    expect(text).toContain("| ✅ met");
    expect(text).toContain("<details><summary>Comparison</summary>");
    expect(text.length).toBeLessThan(65_536);
  });

  test("is appended to the summary of a job, and replaces another file", async () => {
    const folder = scratch();
    const [job, other] = [join(folder, "job.md"), join(folder, "other.md")];
    for (const path of [job, other]) writeFileSync(path, "before\n");
    for (const path of [job, other]) {
      await gate({ runs: equal, arguments: ["--summary", path], env: { GITHUB_STEP_SUMMARY: job } });
    }
    expect(readFileSync(job, "utf8")).toMatch(/^before\n## Gate passed/);
    expect(readFileSync(other, "utf8")).toMatch(/^## Gate passed/);
  });

  test("a file that cannot be written is named", async () => {
    const { code, stderr } = await gate({ runs: equal, arguments: ["--summary", "FOLDER/none/s.md"] });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^--summary: cannot be written \(ENOENT\) \(found ".*s\.md"\); name a file in a folder that is there\n$/,
    );
  });
});

test.each([
  [equal, "notice"],
  [few, "warning"],
  [worse, "error"],
])("in GitHub Actions there is an annotation of its kind", async (runs, level) => {
  const { stderr, stdout } = await gate({ runs, env: { GITHUB_ACTIONS: "true" } });
  expect(stderr).toBe(`::${level} title=harness-eval gate::${stdout.replaceAll("%", "%25")}`);
});

test("--json prints the whole decision", async () => {
  const { stdout } = await gate({ runs: equal, arguments: ["--json"] });
  expect(JSON.parse(stdout)).toMatchObject({
    decision: "passed",
    checks: [{ name: "protected files" }, { name: "size" }, { name: "success" }],
    comparison: { schemaVersion: 1 },
  });
});
