import { describe, expect, test } from "vitest";
import { compare } from "../../src/compare/comparison.ts";
import { InputError } from "../../src/problem.ts";
import type { RecordSet } from "../../src/record/record-set.ts";
import { bare, block, plan, recordSet, run } from "./records.ts";

function refusal(records: RecordSet, baseline = "baseline", candidate = "candidate"): string[] {
  try {
    compare(records, baseline, candidate);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.message.split("\n");
    throw error;
  }
}

const where = "task fix-parser, repetition 0, model provider/model, cohort c1";

describe("arms", () => {
  test("equal names", () => {
    expect(refusal(bare(block({})), "baseline", "baseline")).toEqual([
      'runs.ndjson: baseline and candidate are the same arm (found "baseline"); name two arms',
    ]);
  });

  test("unknown names, with the nearest known ones first", () => {
    expect(refusal(bare(block({})), "base", "candidat")).toEqual([
      'runs.ndjson: has no such arm (found "base"); the arms are baseline, candidate',
      'runs.ndjson: has no such arm (found "candidat"); the arms are candidate, baseline',
    ]);
  });

  test("no runs", () => {
    expect(refusal(recordSet({ cohorts: [plan()], runs: [] }))).toEqual([
      "runs.ndjson: holds no runs; run the cohort first",
    ]);
  });
});

describe("pairs", () => {
  test("a duplicate names both lines", () => {
    expect(refusal(bare([...block({}), run({ arm: "candidate", elapsedMs: 5 })]))).toEqual([
      `runs.ndjson:3: repeats line 2: arm candidate, ${where}; keep one of the two, or set the other's occasion aside with a void line`,
    ]);
  });

  test("a missing partner of either arm", () => {
    const runs = [...block({}), run({ repetition: 1 }), run({ repetition: 2, arm: "candidate" })];
    expect(refusal(bare(runs))).toEqual([
      "runs.ndjson:3: the candidate attempt is missing for baseline, task fix-parser, repetition 1, model provider/model, cohort c1; run both arms of the block, or remove this attempt",
      "runs.ndjson:4: the baseline attempt is missing for candidate, task fix-parser, repetition 2, model provider/model, cohort c1; run both arms of the block, or remove this attempt",
    ]);
  });

  test.each([{ model: "other/model" }, { cohort: "c2" }])("a partner under %o is no partner", (elsewhere) => {
    const problems = refusal(bare([run(), run({ arm: "candidate", ...elsewhere })]));
    expect(problems[0]).toContain("the candidate attempt is missing for baseline");
    expect(problems[0]).toContain("line 2 has it under another model or cohort");
    expect(problems[1]).toContain("line 1 has it under another model or cohort");
    expect(problems[2]).toContain("no pair is left to compare");
  });

  test.each([
    [
      "fixtureRevision",
      { fixtureRevision: "aaa" },
      { fixtureRevision: "bbb" },
      "differs from the fixture",
      '"bbb"',
      { fixtureRevision: "aaa" },
    ],
    ["attempt", {}, { attempt: 1 }, "is not the occasion", "1", { attempt: 0 }],
    ["position", { position: 0 }, { position: 0 }, "is also the position", "0", { position: 1 }],
  ] as const)("a partner with another %s", (field, baseline, candidate, difference, found, mended) => {
    expect(refusal(bare(block({}, baseline, candidate)))).toEqual([
      `runs.ndjson:2: ${field}: ${difference} in line 1, its partner: ${where} (found ${found}); run both arms of the block again`,
    ]);
    expect(refusal(bare(block({}, baseline, mended)))).toEqual([]);
  });

  test("at most twenty are named, then a count", () => {
    const runs = [...block({}), ...Array.from({ length: 50 }, (_, index) => run({ repetition: index + 1 }))];
    const problems = refusal(bare(runs));
    expect(problems).toHaveLength(21);
    expect(problems[20]).toBe("runs.ndjson: and 30 more problems");
  });
});

describe("where a cohort line states the plan", () => {
  const cohorts = [plan({ tasks: ["fix-parser", "add-flag"], repetitions: 2 })];
  const whole = ["fix-parser", "add-flag"].flatMap((taskID) =>
    [0, 1].flatMap((repetition) => block({ taskID, repetition })),
  );

  test("a complete cohort is compared", () => {
    expect(refusal(recordSet({ cohorts, runs: whole }))).toEqual([]);
  });

  test("a block that is missing in both arms", () => {
    expect(refusal(recordSet({ cohorts, runs: whole.slice(0, -2) }))).toEqual([
      "runs.ndjson:1: a planned block is missing in both arms: task add-flag, repetition 1, model provider/model, cohort c1; run the cohort to its end",
    ]);
  });

  test("a whole cohort without any run, beside one that is complete", () => {
    const records = recordSet({ cohorts: [...cohorts, plan({ cohort: "c2" })], runs: whole });
    expect(refusal(records)).toEqual([expect.stringMatching(/^runs.ndjson:2: a planned block is missing.*cohort c2/)]);
  });

  test("a block that is missing in one arm is named once", () => {
    const problems = refusal(recordSet({ cohorts, runs: whole.slice(0, -1) }));
    expect(problems).toEqual([expect.stringContaining("the candidate attempt is missing for baseline, task add-flag")]);
  });

  test("a very large plan with few runs is counted quickly", () => {
    const tasks = Array.from({ length: 10_000 }, (_, index) => `task-${index}`);
    const large = [plan({ tasks, repetitions: 1000 })];
    const problems = refusal(recordSet({ cohorts: large, runs: block({ taskID: "task-0" }) }));
    expect(problems).toHaveLength(21);
    expect(problems[20]).toBe("runs.ndjson: and 9999979 more problems");
  });

  test("a cancelled attempt", () => {
    const runs = [...whole.slice(0, -1), run({ ...whole.at(-1), outcome: "cancelled", verified: false })];
    expect(refusal(recordSet({ cohorts, runs }))).toEqual([
      'runs.ndjson:9: outcome: a planned attempt was cancelled: arm candidate, task add-flag, repetition 1, model provider/model, cohort c1 (found "cancelled"); run the cohort to its end',
    ]);
  });

  test.each([
    ["taskID", { taskID: "foreign" }, '"foreign"'],
    ["repetition", { repetition: 2 }, "2"],
    ["model", { model: "other/model" }, '"other/model"'],
  ])("a run whose %s the plan does not have", (field, change, found) => {
    const problems = refusal(recordSet({ cohorts, runs: [...whole, ...block(change)] }));
    const said = `${field}: is not in the plan of its cohort (found ${found}); compare the records of one manifest`;
    expect(problems).toEqual([`runs.ndjson:10: ${said}`, `runs.ndjson:11: ${said}`]);
  });

  test("a run of an arm that the plan does not have, and an arm that only another cohort has", () => {
    expect(refusal(recordSet({ cohorts, runs: [...whole, run({ arm: "third" })] }))).toEqual([
      'runs.ndjson:10: arm: is not in the plan of its cohort (found "third"); compare the records of one manifest',
    ]);
    const other = plan({ cohort: "c2", arms: ["baseline", "third"] });
    const records = recordSet({ cohorts: [...cohorts, other], runs: whole });
    expect(refusal(records)).toEqual([
      'runs.ndjson:2: cohort.arms: this cohort has no arm candidate (found ["baseline","third"]); compare the files apart',
    ]);
  });

  test.each([
    { model: "other/model" },
    { runtimeRevision: "r2" },
    { agent: "pi" },
    { tasks: ["fix-parser"] },
    { repetitions: 1 },
    { margin: 0.1 },
  ])("cohort lines of one cohort that contradict each other in %o", (change) => {
    const records = recordSet({ cohorts: [...cohorts, { ...cohorts[0]!, ...change }], runs: whole });
    const field = Object.keys(change)[0];
    expect(refusal(records)[0]).toBe(
      `runs.ndjson:2: cohort.${field}: contradicts line 1, which plans the same cohort; compare the files apart`,
    );
  });

  test("a repeated cohort line, as in a resumed file, is fine", () => {
    const again = { ...cohorts[0]!, startedAt: "2026-01-02T00:00:00Z" };
    expect(refusal(recordSet({ cohorts: [...cohorts, again], runs: whole }))).toEqual([]);
  });
});

describe("how the records end", () => {
  const cohorts = [plan()];
  const cut = "runs.ndjson: no comparison line ends the records: the run was cut; run the cohort to its end";
  const incomplete = (line: number) =>
    `runs.ndjson:${line}: incomplete: the cohort did not complete, or was a smoke run (found true); run the cohort to its end`;

  test("no closing line after a cohort line", () => {
    expect(refusal(recordSet({ cohorts, runs: block({}), incomplete: null }))).toEqual([cut]);
  });

  test("an end marked incomplete, with a cohort line or without", () => {
    expect(refusal(recordSet({ cohorts, runs: block({}), incomplete: true }))).toEqual([incomplete(4)]);
    expect(refusal(recordSet({ runs: block({}), incomplete: true }))).toEqual([incomplete(3)]);
  });

  test("a smoke run is named as one", () => {
    const smoke = [plan({ repetitions: 5, whole: false })];
    expect(refusal(recordSet({ cohorts: smoke, runs: block({}), incomplete: true }))).toEqual([
      "runs.ndjson:4: incomplete: this is a smoke run, which planned only some of the blocks (found true); run the whole cohort and compare that",
    ]);
  });

  test("a stop line accounts for blocks that were not run and for the end", () => {
    const planned = [plan({ repetitions: 5 })];
    const stops = [{ plannedBlocks: 5, completedBlocks: 1 }];
    for (const end of [true, false, null]) {
      expect(refusal(recordSet({ cohorts: planned, runs: block({}), stops, incomplete: end }))).toEqual([]);
    }
  });

  test("a stop line accounts for no half block, and for no cancelled attempt", () => {
    const planned = [plan({ repetitions: 5 })];
    const half = recordSet({ cohorts: planned, runs: [...block({}), run({ repetition: 1 })], stops: [{}] });
    expect(refusal(half)).toEqual([expect.stringContaining("the candidate attempt is missing")]);
    const cancelled = block({}, {}, { outcome: "cancelled", verified: false });
    expect(refusal(recordSet({ cohorts: planned, runs: cancelled, stops: [{}] }))).toEqual([
      expect.stringContaining("a planned attempt was cancelled"),
    ]);
  });

  test("a stop line that contradicts the plan or the records", () => {
    const records = recordSet({
      cohorts: [plan({ repetitions: 5 })],
      runs: block({}),
      stops: [{ plannedBlocks: 6, completedBlocks: 2 }],
    });
    expect(refusal(records)).toEqual([
      "runs.ndjson:4: stop.plannedBlocks: contradicts the plan of cohort c1, which has 5 blocks (found 6)",
      "runs.ndjson:4: stop.completedBlocks: the records hold 1 whole block (found 2); records were lost; run the cohort again",
    ]);
  });

  test("a stop line of another cohort accounts for nothing", () => {
    const records = recordSet({
      cohorts: [plan({ cohort: "c2" }), plan()],
      runs: [...block({}), ...block({ cohort: "c2" })],
      stops: [{ cohort: "c2" }],
      incomplete: true,
    });
    expect(refusal(records)).toEqual([incomplete(8)]);
  });

  test("a void or stop line that does not say which of several cohorts it means", () => {
    const records = recordSet({
      runs: [...block({}), ...block({ cohort: "c2" })],
      voids: [{ taskID: "fix-parser", repetition: 0, attempt: 0, reason: "provider" }],
      stops: [{}],
    });
    const said = (line: number, field: string) =>
      `runs.ndjson:${line}: ${field}: is missing, and there are several cohorts; compare the files apart`;
    expect(refusal(records)).toEqual([said(5, "void.cohort"), said(6, "stop.cohort")]);
  });
});

describe("void lines", () => {
  const cohorts = [plan()];
  const voids = [{ taskID: "fix-parser", repetition: 0, attempt: 0, reason: "provider" }];

  test("the occasion that was run again counts", () => {
    const records = recordSet({
      cohorts,
      runs: [...block({ attempt: 0, verified: false, outcome: "cancelled" }), ...block({ attempt: 1 })],
      voids,
    });
    expect(refusal(records)).toEqual([]);
    expect(compare(records, "baseline", "candidate").pairs).toMatchObject({ both: 1, neither: 0 });
  });

  test("an occasion that was not run again leaves its block missing", () => {
    expect(refusal(recordSet({ cohorts, runs: block({}), voids }))).toEqual([
      expect.stringContaining("a planned block is missing in both arms"),
      expect.stringContaining("no pair is left to compare"),
    ]);
  });

  test("a void line of another cohort sets nothing aside", () => {
    const records = recordSet({ cohorts, runs: block({}), voids: [{ ...voids[0]!, cohort: "c2" }] });
    expect(compare(records, "baseline", "candidate").pairs.both).toBe(1);
  });
});
