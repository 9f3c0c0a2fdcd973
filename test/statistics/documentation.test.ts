import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compare, type CompareOptions } from "../../src/compare/comparison.ts";
import type { Inference } from "../../src/compare/inference/inference.ts";
import type { CohortRecord } from "../../src/record/schema.ts";
import { designEffect } from "../../src/statistics/design-effect.ts";
import type { Interval } from "../../src/statistics/interval.ts";
import { mcnemarTest } from "../../src/statistics/mcnemar.ts";
import { criticalZ } from "../../src/statistics/normal.ts";
import { tangoInterval } from "../../src/statistics/tango.ts";
import { block, plan, recordSet } from "../compare/records.ts";

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = file("docs/statistics.md");

/** A task of the example: patterns of pairs, the sum of each, and candidate time / baseline time. */
const rows = Array.from(
  page.matchAll(/^\| (t\d+) +\| `([b+.-]+)` *\| +(-?\d) \| `([b+.-]+)` *\| +(-?\d) \| +([\d.]+) \|$/gm),
  ([, taskID, spread, spreadSum, concentrated, concentratedSum, ratio]) => ({
    taskID: taskID!,
    spread: spread!,
    concentrated: concentrated!,
    sums: { spread: Number(spreadSum), concentrated: Number(concentratedSum) },
    ratio: Number(ratio),
  }),
);
type Column = "spread" | "concentrated";

function inferenceOf(column: Column, changes: Partial<CohortRecord> = {}, options: CompareOptions = {}): Inference {
  const runs = rows.flatMap(({ taskID, ratio, ...patterns }) =>
    [...patterns[column]].flatMap((pair, repetition) =>
      block(
        { taskID, repetition },
        { verified: pair === "b" || pair === "-", elapsedMs: 60_000 },
        { verified: pair === "b" || pair === "+", elapsedMs: 60_000 * ratio },
      ),
    ),
  );
  const cohort = plan({ tasks: rows.map(({ taskID }) => taskID), repetitions: 3, margin: 0.1, ...changes });
  const { inference } = compare(recordSet({ runs, cohorts: [cohort] }), "baseline", "candidate", options);
  if (inference === null) throw new Error("one group has an inference");
  return inference;
}

/** A number as the page prints it: `.458`, `1.000`, `-.073`. */
const short = (value: number, digits = 3) => value.toFixed(digits).replace(/^(-?)0\./, "$1.");
const range = ({ lower, upper }: Pick<Interval, "lower" | "upper">) => `${short(lower)} to ${short(upper)}`;

/** The cells of one row of the table "By `compare`", without its name. */
function printed(name: string): string[] {
  const table = page.split("By `compare`:")[1] ?? "";
  const cells = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return cells.find(([, first]) => first === name)?.slice(2, -1) ?? [];
}

const both = [inferenceOf("spread"), inferenceOf("concentrated")] as const;

describe("the worked example", () => {
  test("has eight tasks of three pairs, and sums that follow from the patterns", () => {
    expect(rows).toHaveLength(8);
    for (const row of rows)
      for (const column of ["spread", "concentrated"] as const) {
        expect(row[column]).toHaveLength(3);
        expect(row[column].split("+").length - row[column].split("-").length).toBe(row.sums[column]);
      }
    for (const { success, marginDeclared } of both) {
      expect(success.pairs).toEqual({ both: 10, baselineOnly: 1, candidateOnly: 11, neither: 2 });
      expect(marginDeclared).toBe("beforehand");
    }
  });

  test.each([
    [
      "baseline's rate",
      ({ success: { baseline } }: Inference) => `${short(baseline.rate)} (${range(baseline.interval!)})`,
    ],
    ["candidate's rate", ({ success: { candidate } }) => `${short(candidate.rate)} (${range(candidate.interval!)})`],
    ["difference", ({ success: { difference } }) => `${short(difference.estimate)} (${range(difference.interval!)})`],
    [
      "standard error, deff",
      ({ success: { difference } }) => `${short(difference.standardError!)}, ${short(difference.designEffect!, 2)}`,
    ],
    [
      "p; tasks that differ",
      ({ success: { difference } }) => `${short(difference.test.pValue!)}; ${difference.test.informativeTasks}`,
    ],
    [
      "pass@2: baseline, candidate",
      ({ success: { atK } }) => `${short(atK[1]!.passAtK.baseline)}, ${short(atK[1]!.passAtK.candidate)}`,
    ],
    [
      "pass^2: baseline, candidate",
      ({ success: { atK } }) => `${short(atK[1]!.passHatK.baseline)}, ${short(atK[1]!.passHatK.candidate)}`,
    ],
    [
      "latency ratio",
      ({ latency: { ratio, tasks, test: rank } }) =>
        ratio.interval === null
          ? `${short(ratio.estimate!)} (${tasks} tasks: no interval)`
          : `${short(ratio.estimate!)} (${range(ratio.interval)}), p ${short(rank.pValue!)}`,
    ],
    ["direction, margin", ({ verdict }) => `${verdict.direction}, ${verdict.margin}`],
    ["latency", ({ verdict }) => verdict.latency],
    ["tasks needed", ({ verdict }) => String(verdict.needed?.direction?.tasks ?? "")],
  ] satisfies [string, (inference: Inference) => string][])("%s", (name, text) => {
    expect(printed(name)).toEqual(both.map(text));
  });

  test("what pooled analyses would say", () => {
    const half = (criticalZ(0.95) * Math.sqrt(12 - 100 / 24)) / 24;
    const wald = range({ lower: 10 / 24 - half, upper: 10 / 24 + half });
    const cell = `${wald}, ${short(mcnemarTest(11, 1, 0.05).pValue!, 4)}`;
    expect(printed("pooled Wald, McNemar's p")).toEqual([cell, cell]);
  });

  test("the steps by hand", () => {
    const [{ success, latency }] = both;
    const sizes = rows.map(() => 3);
    const deff = designEffect((8 / 7) * (7.5 / 576), (12 - 100 / 24) / 576, sizes);
    expect(success.difference.designEffect).toBeCloseTo(deff, 12);
    const tango = tangoInterval(11 / deff, 1 / deff, 24 / deff, 0.95, "tango");
    expect(page).toContain(
      `deff = .01488/.01360 = ${deff.toFixed(3)}. Tango on ${short(11 / deff, 2)}, ${short(1 / deff)}, ${short(24 / deff, 2)}: ${range(tango)}.`,
    );
    expect(success.difference.test.pValue).toBe(10 / 256);
    expect(latency.test.pValue).toBe(6 / 128);
    expect(latency.ratio.interval?.upper).toBeCloseTo(Math.sqrt(0.9 * 1.1), 12);
    expect(success.baseline.interval!.lower).toBeCloseTo(0.27, 3);
  });

  test("the sentences", () => {
    const quoted = Array.from(page.matchAll(/^> (.*)$/gm), ([, sentence]) => sentence);
    expect(quoted).toEqual(both.map(({ verdict }) => verdict.reasons[0]));
  });

  test("its e-value, had the cohort been run until decided", () => {
    const { success, verdict } = inferenceOf("spread", { untilDecided: { alpha: 0.05, seed: 1 } });
    expect(page.replace(/\s+/g, " ")).toContain(`p = .039 and an e-value of ${success.eValue!.toFixed(2)}.`);
    expect(verdict.direction).toBe("undecided");
    expect(success.difference.interval).toBeNull();
  });
});

test.each([
  ["src/statistics/interval.ts", "IntervalMethod", 9],
  ["src/statistics/p-value.ts", "TestMethod", 5],
])("%s: each %s is explained", (path, type, count) => {
  const declaration = new RegExp(`type ${type} =(.*?);`, "s").exec(file(path))?.[1] ?? "";
  const names = Array.from(declaration.matchAll(/"([a-z-]+)"/g), ([, name]) => name);
  expect(names).toHaveLength(count);
  const explained = page.split("### Names")[1]?.split("\n## ")[0] ?? "";
  const firstCells = Array.from(explained.matchAll(/^\|([^|]*)\|/gm), ([, cell]) => cell).join();
  expect(names.filter((name) => !firstCells.includes(`\`${name}\``))).toEqual([]);
});
