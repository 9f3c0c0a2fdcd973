import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { compare, type Comparison } from "../../src/compare/comparison.ts";
import { renderJson } from "../../src/report/json.ts";
import { renderMarkdown } from "../../src/report/markdown.ts";
import { renderTable } from "../../src/report/table.ts";
import { bare, block, run } from "../compare/records.ts";
import { exampleComparison, exampleOfTwoModels } from "./example.ts";

const unwrapped = (text: string) => text.replace(/\n {4}/g, " ");
const lastLines = (text: string, count: number) => text.trimEnd().split("\n").slice(-count);

describe("golden files", () => {
  test("table", async () => {
    await expect(renderTable(exampleComparison())).toMatchFileSnapshot("../golden/comparison-table.txt");
  });

  test("table of several models on a wide terminal", async () => {
    await expect(renderTable(exampleOfTwoModels(), { width: 200 })).toMatchFileSnapshot(
      "../golden/comparison-wide.txt",
    );
  });

  test("Markdown", async () => {
    await expect(renderMarkdown(exampleComparison())).toMatchFileSnapshot("../golden/comparison.md");
  });
});

describe("JSON", () => {
  test("is the comparison, indented, on lines that end", () => {
    const comparison = exampleComparison();
    const text = renderJson(comparison);
    expect(JSON.parse(text)).toEqual(comparison);
    expect(text).toMatch(/^\{\n {2}"schemaVersion": 1,\n.*\n\}\n$/s);
  });

  test("holds no character that drives a terminal, and still the same names", () => {
    const text = renderJson(hostileComparison());
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]|\p{Cf}/u);
    expect(JSON.parse(text)).toEqual(hostileComparison());
  });
});

describe("the table", () => {
  test.each([undefined, 20, 60, 72, 80, 100, 120, 500])("fits a terminal of %s columns", (width) => {
    const limit = Math.min(Math.max(width ?? 80, 60), 120);
    for (const comparison of [exampleComparison(), exampleOfTwoModels(), hostileComparison(), largeNumbers()]) {
      const lines = renderTable(comparison, { width }).split("\n");
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(limit);
      const rules = lines.filter((line) => line.startsWith("├") || line.startsWith("│"));
      for (const line of rules) expect(widthOf(line)).toBe(limit);
    }
  });

  test("colour adds nothing but colour", () => {
    const comparison = exampleComparison();
    const colored = renderTable(comparison, { color: true });
    expect(colored).toContain("\u001b[");
    expect(stripVTControlCharacters(colored)).toBe(renderTable(comparison));
    expect(renderTable(comparison)).not.toContain("\u001b");
  });

  test("says why there is no value", () => {
    const none = compare(bare(block({ verified: false })), "baseline", "candidate");
    const text = renderTable(none);
    expect(text).toMatch(/latency, median \[1\] *│ *n\/a │ *n\/a │ *n\/a/);
    expect(unwrapped(text)).toContain("no ratio, since no pair verified in both arms.");
    expect(text).toContain("[2] P95: 0 verified attempts, 20 needed.");
    expect(text).toMatch(/input tokens \[3\] *│ *n\/a │ *n\/a │ *n\/a/);
  });

  test("says which arm lacks a P95, and how many pairs gave no ratio", () => {
    const runs = Array.from({ length: 20 }, (_, repetition) =>
      block({ repetition }, { elapsedMs: repetition === 0 ? 0 : 10 }, { verified: repetition < 5, elapsedMs: 20 }),
    ).flat();
    const text = renderTable(compare(bare(runs), "baseline", "candidate"), { width: 120 });
    expect(text).toContain("P95: candidate 5 verified attempts, 20 needed.");
    expect(unwrapped(text)).toContain("median over 4 pairs verified in both arms; 1 left out, baseline 0 ms.");
    expect(text).toMatch(/latency, P95 \[2\] *│ *10\.0 ms │ *n\/a/);
  });

  test("lists a hundred tasks and counts the rest", () => {
    const runs = Array.from({ length: 130 }, (_, index) => block({ taskID: `task-${index}` })).flat();
    const comparison = compare(bare(runs), "baseline", "candidate");
    for (const text of [renderTable(comparison), renderMarkdown(comparison)]) {
      expect(text.match(/task-\d+/g)).toHaveLength(100);
      expect(text).toMatch(/30 more tasks: see/);
    }
  });

  test("names arms that are not called by their roles", () => {
    const runs = block({}).map((one) => ({ ...one, arm: one.arm === "baseline" ? "plain" : "with-skill" }));
    const comparison = compare(bare(runs), "plain", "with-skill");
    expect(renderTable(comparison)).toMatch(/^with-skill \(candidate\) against plain \(baseline\): 1 pair, 1 task,/);
    expect(renderMarkdown(comparison)).toMatch(/^### `with-skill` \(candidate\) against `plain` \(baseline\)\n/);
  });
});

describe("names from records", () => {
  test("do not reach a terminal with control characters", () => {
    const text = renderTable(hostileComparison());
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}|\p{Cs}/u);
    expect(text).toContain("\\u{1b}[31m");
  });

  test("do not become markup, links, mentions or cells in Markdown", () => {
    const text = renderMarkdown(hostileComparison());
    const tables = text.split("\n").filter((line) => line.startsWith("|"));
    const widths = new Set(tables.map((line) => line.split(/(?<!\\)\|/).length - 2));
    expect(widths).toEqual(new Set([4, 3]));
    // Outside of code spans, whose content is shown as it is, no character of a name is left unescaped.
    const outside = text.replace(/`[^`\n]*`/g, "");
    expect(outside).not.toMatch(/(?<!\\)<script|@someone|(?<!\\)\[link\]|:\/\//);
    expect(text.match(/^#/gm)).toHaveLength(1);
  });

  test("are cut with an ellipsis, never inside a character", () => {
    const taskID = "👩‍🚀".repeat(60);
    const comparison = compare(bare([run({ taskID }), run({ taskID, arm: "candidate" })]), "baseline", "candidate");
    for (const text of [renderTable(comparison), renderMarkdown(comparison)]) {
      expect(text).toContain("…");
      expect(text).not.toMatch(/\p{Cs}/u);
    }
  });

  test("warnings and limitations stand below the tables", () => {
    const comparison = compare(bare(block({})), "baseline", "candidate");
    expect(renderTable(comparison)).toContain("Warnings\n- No cohort line states the plan of c1:");
    expect(renderTable(comparison)).toContain("(completeness-unknown)");
    expect(renderMarkdown(comparison)).toContain("(`completeness-unknown`)");
    expect(lastLines(renderMarkdown(comparison), 4).every((line) => line.startsWith("- "))).toBe(true);
  });
});

/** Columns where every character that is neither CJK nor an emoji takes one, as terminals do. */
function widthOf(line: string): number {
  return Array.from(line, (character): number =>
    /\p{Emoji_Presentation}|\p{Script=Han}/u.test(character) ? 2 : 1,
  ).reduce((sum, columns) => sum + columns, 0);
}

const hostile =
  "\u001b[31m\u009b2J\u202e\u2028\n\r\t\0|`a`*b*<script>[link](https://evil.example)@someone\ud800" + "\u{e0041}";

function hostileComparison(): Comparison {
  const runs = ["任务🙂".repeat(30), `${hostile}${"x".repeat(200)}`, "# heading", "a\\|b", "- item", " "].flatMap(
    (taskID) =>
      ["m/1", hostile].flatMap((model) =>
        [hostile, `b${hostile}`, `c${hostile}`].map((arm) => run({ taskID, model, cohort: hostile, arm })),
      ),
  );
  return compare(bare(runs), hostile, `b${hostile}`);
}

function largeNumbers(): Comparison {
  const large = {
    elapsedMs: Number.MAX_SAFE_INTEGER,
    inputTokens: Number.MAX_SAFE_INTEGER,
    outputTokens: 1_234_567_890,
  };
  return compare(
    bare(block({}, { ...large }, { elapsedMs: 1e-9, inputTokens: 0, outputTokens: 0 })),
    "baseline",
    "candidate",
  );
}
