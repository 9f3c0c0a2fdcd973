import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { compare } from "../../src/compare/comparison.ts";
import { readRecords } from "../../src/record/reader.ts";
import { block, recordSet } from "./records.ts";
import { CohortRecord, RunRecord, StopRecord, VoidRecord } from "../../src/record/schema.ts";

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const fenced = (text: string, language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(text)?.[1] ?? "";
const read = (text: string) => readRecords(Readable.from([Buffer.from(text)]));

test("the worked example of docs/comparison.md comes out as it says", async () => {
  const text = page("comparison.md");
  const comparison = compare(await read(fenced(text, "ndjson")), "baseline", "candidate");
  expect(comparison).toMatchObject(JSON.parse(fenced(text, "json")) as object);
});

test("the example of docs/records.md is a complete cohort", async () => {
  const comparison = compare(await read(fenced(page("records.md"), "ndjson")), "baseline", "candidate");
  expect(comparison.warnings.map(({ code }) => code)).toEqual(["few-tasks"]);
  expect(comparison.pairs.neither).toBe(1);
});

test("docs/records.md has a row for each field of each record", () => {
  const text = page("records.md");
  for (const [section, record] of Object.entries({
    run: RunRecord,
    cohort: CohortRecord,
    void: VoidRecord,
    stop: StopRecord,
  })) {
    const part = text.split(`## \`${section}\``)[1]?.split("\n## ")[0] ?? "";
    const rows = Array.from(part.matchAll(/^\| `(\w+)` *\|/gm), ([, field]) => field);
    expect({ section, rows }).toEqual({ section, rows: Object.keys(record.shape) });
  }
});

test("docs/comparison.md names each field of a comparison and of a summary", () => {
  const fields = page("comparison.md").split("## Fields")[1]?.split("\n## ")[0] ?? "";
  const comparison = compare(recordSet({ runs: block({}) }), "baseline", "candidate");
  const names = [comparison, comparison.baseline, comparison.pairs, comparison.baseline.failures].flatMap(Object.keys);
  const { metrics } = comparison.baseline;
  const inner = Object.keys(metrics.inputTokens).map((name) => `metrics.*.${name}`);
  const missing = [...names, ...Object.keys(metrics), ...inner].filter(
    (name) => !fields.includes(`\`${name}\``) && !fields.includes(`\`${name}[]\``),
  );
  expect(missing).toEqual([]);
});

test("docs/comparison.md names each field of an inference, its verdict and a sensitivity analysis", () => {
  const part = page("comparison.md").split("## Inference")[1]?.split("\n## ")[0] ?? "";
  const { inference, sensitivity } = compare(recordSet({ runs: block({}) }), "baseline", "candidate");
  if (inference === null) throw new Error("one group has an inference");
  const { success, latency, metrics, perTask, order, verdict } = inference;
  const parts = [inference, success, success.difference, success.difference.test, latency, metrics.toolCalls];
  const names = [...parts, ...perTask, order, verdict, ...sensitivity].flatMap((object) => Object.keys(object));
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(part))).toEqual([]);
  for (const { analysis } of sensitivity) expect(part).toContain(`| \`${analysis}\``);
});

test("docs/comparison.md has a row for each warning", () => {
  const text = page("comparison.md");
  const sources = ["warnings.ts", "inference/warnings.ts"].map((name) =>
    readFileSync(new URL(`../../src/compare/${name}`, import.meta.url), "utf8"),
  );
  const codes = new Set(
    Array.from(
      sources
        .join("")
        .replace(/until-decided|all-attempts/g, "")
        .matchAll(/"([a-z]+(?:-[a-z]+)+)"/g),
      ([, code]) => code,
    ),
  );
  const rows = Array.from(text.split("## Warnings")[1]?.matchAll(/^\| `([a-z-]+)` *\|/gm) ?? [], ([, code]) => code);
  expect(codes.size).toBeGreaterThan(10);
  expect(new Set(rows)).toEqual(codes);
});
