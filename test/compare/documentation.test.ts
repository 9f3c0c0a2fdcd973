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
  expect(comparison.warnings).toEqual([]);
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

test("docs/comparison.md has a row for each warning", () => {
  const text = page("comparison.md");
  const source = readFileSync(new URL("../../src/compare/warnings.ts", import.meta.url), "utf8");
  const codes = new Set(Array.from(source.matchAll(/"([a-z]+(?:-[a-z]+)+)"/g), ([, code]) => code));
  const rows = Array.from(text.split("## Warnings")[1]?.matchAll(/^\| `([a-z-]+)` *\|/gm) ?? [], ([, code]) => code);
  expect(codes.size).toBeGreaterThan(10);
  expect(new Set(rows)).toEqual(codes);
});
