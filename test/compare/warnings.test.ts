import { describe, expect, test } from "vitest";
import { compare } from "../../src/compare/comparison.ts";
import type { RecordSet } from "../../src/record/record-set.ts";
import { bare, block, plan, recordSet, run } from "./records.ts";

/** Without the one that every example here gives, of one or two tasks as it is. */
function warnings(records: RecordSet, baseline = "baseline", candidate = "candidate"): Record<string, string> {
  const all = compare(records, baseline, candidate).warnings.map(({ code, message }) => [code, message] as const);
  return Object.fromEntries(all.filter(([code]) => code !== "few-tasks"));
}

const cohorts = [plan()];

test("a complete cohort under constant conditions has none", () => {
  const runs = block({ containment: "process-group", fixtureRevision: "f" }, { position: 0 }, { position: 1 });
  expect(warnings(recordSet({ cohorts, runs }))).toEqual({});
});

describe("completeness", () => {
  test("without a cohort line it cannot be known", () => {
    expect(warnings(bare(block({})))).toEqual({
      "completeness-unknown": "No cohort line states the plan of c1: blocks missing in both arms cannot be noticed.",
    });
    const mixed = recordSet({ cohorts, runs: [...block({}), ...block({ cohort: "c2" })] });
    expect(warnings(mixed)["completeness-unknown"]).toContain("the plan of c2:");
  });

  test("a cancelled attempt without a plan counts as a failure", () => {
    const comparison = compare(bare(block({}, {}, { outcome: "cancelled", verified: false })), "baseline", "candidate");
    expect(comparison.candidate).toMatchObject({ count: 1, verifiedCount: 0, failures: { cancelled: 1 } });
    expect(comparison.warnings).toContainEqual({
      code: "cancelled-counted",
      message: "1 cancelled attempt counted as failed; without a plan it cannot be told whether the run was cut there.",
    });
  });

  test("a smoke run planned less than its manifest", () => {
    const smoke = [plan({ tasks: ["fix-parser", "add-flag"], repetitions: 3, whole: false })];
    expect(warnings(recordSet({ cohorts: smoke, runs: block({}) }))).toEqual({
      "smoke-run": "Cohort c1 is a smoke run: 1 of the 6 blocks of its manifest.",
    });
  });

  test("a cohort that stopped early", () => {
    const records = recordSet({ cohorts: [plan({ repetitions: 3 })], runs: block({}), stops: [{ reason: "decided" }] });
    expect(warnings(records)).toEqual({
      "stopped-early": "Cohort c1 stopped early, after 1 of 3 blocks: its estimates are biased.",
      "optional-stopping":
        "Cohort c1 could stop on what it had seen: an e-value takes the place of p-values and intervals, and its estimates are biased away from 0.",
    });
  });
});

describe("what was left out", () => {
  test("voided occasions, by arm", () => {
    const voids = [{ taskID: "fix-parser", repetition: 0, attempt: 0, reason: "provider" }];
    const runs = [run({ attempt: 0, outcome: "failed", verified: false }), ...block({ attempt: 1 })];
    expect(warnings(recordSet({ cohorts, runs, voids }))).toEqual({
      "occasions-voided": "1 occasion of blocks set aside: 1 run left out (baseline 1).",
    });
  });

  test("other arms", () => {
    const runs = [...block({}), run({ arm: "third" }), run({ arm: "fourth" }), run({ arm: "third", repetition: 1 })];
    expect(warnings(bare(runs))["other-arms"]).toBe("3 runs of other arms left out: fourth, third.");
  });
});

describe("several cohorts, and roles", () => {
  test("totals over several groups", () => {
    const runs = [...block({}), ...block({ model: "other/model" })];
    expect(warnings(bare(runs))["several-groups"]).toBe(
      "The totals add up 2 groups of one model and cohort each; read the cells instead.",
    );
  });

  test("roles other than those of the manifest", () => {
    expect(warnings(recordSet({ cohorts, runs: block({}) }), "candidate", "baseline")).toEqual({
      "roles-swapped": "Cohort c1 was run with baseline as its baseline; the roles are swapped here.",
    });
  });
});

describe("what was not held constant", () => {
  test.each([
    ["harness-version-varied", { harnessVersion: "0.1.1" }, "the version of harness-eval"],
    ["agent-version-varied", { agentVersion: "2" }, "the version that the agent reports"],
    ["machine-varied", { node: "v22.0.0" }, "the platform or the version of Node.js"],
    ["machine-varied", { platform: "darwin" }, "the platform or the version of Node.js"],
  ])("%s: %o", (code, change, what) => {
    const first = plan({ agentVersion: "1", node: "v20.19.0", platform: "linux" });
    const records = recordSet({ cohorts: [first, { ...first, ...change }], runs: block({}) });
    expect(warnings(records)).toEqual({ [code]: `Not held constant in cohort c1: ${what}.` });
  });

  test("a version that only one of the lines states is not a change", () => {
    expect(warnings(recordSet({ cohorts: [plan(), plan({ agentVersion: "1" })], runs: block({}) }))).toEqual({});
  });

  test("containment, in either arm", () => {
    const runs = block({}, { containment: "bwrap" }, { containment: "process-group" });
    expect(warnings(recordSet({ cohorts, runs }))).toEqual({
      "containment-varied": "Not held constant in cohort c1: containment.",
    });
  });

  test("the fixture of a task, between repetitions", () => {
    const runs = [
      ...block({ repetition: 0, fixtureRevision: "a" }),
      ...block({ repetition: 1, fixtureRevision: "b" }),
      ...block({ taskID: "other", fixtureRevision: "c" }),
    ];
    expect(warnings(bare(runs))["fixture-varied"]).toBe("Not held constant in cohort c1: the fixture of fix-parser.");
  });

  test("order, beyond the one block that an odd number leaves over", () => {
    const first = (repetition: number) => block({ repetition }, { position: 0 }, { position: 1 });
    const second = (repetition: number) => block({ repetition }, { position: 1 }, { position: 0 });
    expect(warnings(bare([...first(0), ...second(1), ...first(2)]))).not.toHaveProperty("order-unbalanced");
    expect(warnings(bare([...first(0), ...first(1)]))["order-unbalanced"]).toBe(
      "Unbalanced order in cohort c1: the baseline went first in 2 blocks, the candidate in 0.",
    );
  });
});
