import { describe, expect, test } from "vitest";
import { compare, type CompareOptions } from "../../src/compare/comparison.ts";
import type { Inference } from "../../src/compare/inference/inference.ts";
import type { RunRecord } from "../../src/record/schema.ts";
import { patternTask as task, patternTasks as tasks, repeat } from "./patterns.ts";
import { bare, block, plan, recordSet } from "./records.ts";

function inferenceOf(runs: readonly RunRecord[], options: CompareOptions = {}): Inference {
  const { inference } = compare(bare(runs), "baseline", "candidate", options);
  if (inference === null) throw new Error("several groups");
  return inference;
}

describe("inputs at the edge give a labelled refusal or a correct interval", () => {
  test.each([
    ["all pass", repeat("bbb", 8)],
    ["none pass", repeat("...", 8)],
    ["one repetition", [...repeat("b", 4), ...repeat("+", 4), "-"]],
    ["no discordance", [...repeat("bb", 4), ...repeat("..", 4)]],
    ["unequal repetitions after voided blocks", ["bbb", "+", "b+", "-bb", "..", "+++"]],
    ["two tasks", ["b+", "+."]],
  ])("%s: an interval of the difference with a width, and p above 0", (_, patterns) => {
    const { difference, baseline, candidate } = inferenceOf(tasks(patterns)).success;
    expect(difference.reason).toBeNull();
    expect(difference.interval!.upper - difference.interval!.lower).toBeGreaterThan(0.05);
    expect(difference.test.pValue).toBeGreaterThan(0);
    for (const { interval } of [baseline, candidate]) expect(interval!.upper - interval!.lower).toBeGreaterThan(0.05);
  });

  test("one task: no interval of the difference, and rates within the task only", () => {
    const { success, verdict } = inferenceOf(task("only", "bb++"));
    expect(success.difference).toMatchObject({
      estimate: 0.5,
      interval: null,
      reason: { code: "one-task", needed: { unit: "tasks", count: 2 } },
    });
    expect(success.baseline.interval?.method).toBe("wilson-within-task");
    expect(verdict).toMatchObject({ direction: "undecided", margin: "not-assessed", latency: "not-assessed" });
  });

  test("no pair verified in both arms: no latency, with the reason", () => {
    const { latency, verdict } = inferenceOf(tasks(repeat("+-", 8)), { margin: 0.9 });
    expect(latency).toMatchObject({
      tasks: 0,
      pairs: 0,
      ratio: { estimate: null, interval: null, reason: { code: "no-pairs" } },
    });
    expect(latency.test.pValue).toBeNull();
    expect(verdict.latency).toBe("undecided");
  });

  test("all ratios equal: an estimate, and no interval of width zero", () => {
    const { latency } = inferenceOf(tasks(repeat("bb", 8)));
    expect(latency.ratio).toMatchObject({ interval: null, reason: { code: "all-tied" } });
    expect(latency.ratio.estimate).toBeCloseTo(0.5, 12);
    expect(latency.test.pValue).toBeCloseTo(2 / 2 ** 8, 12);
  });

  test("a counter that nobody states, and one that few state", () => {
    const runs = tasks(repeat("bb", 3)).map((run, index) =>
      index < 2 ? { ...run, inputTokens: 100 * (index + 1) } : run,
    );
    const { metrics } = inferenceOf(runs);
    expect(metrics.toolCalls).toMatchObject({
      tasks: 0,
      pairs: 0,
      difference: { estimate: null, reason: { code: "no-pairs" } },
      pValueHolm: null,
    });
    expect(metrics.inputTokens).toMatchObject({
      tasks: 1,
      pairs: 1,
      difference: { estimate: 100, reason: { code: "too-few-tasks", needed: { count: 6 } } },
    });
  });
});

describe("verdicts", () => {
  test("improved, with interval and test", () => {
    const { success, verdict } = inferenceOf(tasks([...repeat("++", 8), "b+", "bb"]));
    expect(success.difference.interval!.lower).toBeGreaterThan(0);
    // Nine tasks agree: 2 / 2^9.
    expect(success.difference.test.pValue).toBeCloseTo(2 / 2 ** 9, 12);
    expect(verdict).toMatchObject({ direction: "improved", needed: null });
    expect(verdict.reasons[0]).toMatch(
      /^Success improved: \+85\.0 points, 95% interval \+\d+\.\d to \+\d+\.\d, p = 0\.0039\.$/,
    );
  });

  test("regressed and non-inferior can hold at once", () => {
    // Half of 60 tasks lose one pair of twenty: a loss of 2.5 points.
    const runs = tasks([...repeat("-bbbbbbbbbbbbbbbbbbb", 30), ...repeat("bbbbbbbbbbbbbbbbbbbb", 30)]);
    const { verdict } = inferenceOf(runs, { margin: 0.1 });
    expect(verdict).toMatchObject({ direction: "regressed", margin: "equivalent", nonInferior: true });
  });

  test("inferior: the whole interval lies beyond the margin", () => {
    const { verdict } = inferenceOf(tasks([...repeat("---", 10), "bbb", "bbb"]), { margin: 0.1 });
    expect(verdict).toMatchObject({
      direction: "regressed",
      margin: "inferior",
      nonInferior: false,
      latency: "not-assessed",
    });
  });

  test("the interval alone does not decide: too few tasks that differ for the test", () => {
    const { success, verdict } = inferenceOf(
      tasks(["+".repeat(50), "+".repeat(49) + "b", "+".repeat(48) + "bb", "+".repeat(50)]),
    );
    expect(success.difference.interval!.lower).toBeGreaterThan(0);
    expect(success.difference.test.pValue).toBe(0.125);
    expect(verdict.direction).toBe("undecided");
    expect(verdict.reasons[0]).toContain(
      "4 tasks differ between the arms; with fewer than 6 no outcome reaches p <= 0.05",
    );
    expect(verdict.needed?.direction?.tasks).toBeGreaterThanOrEqual(6);
  });

  test("undecided says how many tasks, and how many repetitions, would decide", () => {
    const { verdict } = inferenceOf(tasks(["b+", "-b", "+b", ".+", "b+", "-.", "+b", "bb", "..", "b."]));
    expect(verdict.direction).toBe("undecided");
    const { tasks: needed, power } = verdict.needed!.direction!;
    expect(needed).toBeGreaterThan(10);
    expect(power).toBe(0.8);
    expect(verdict.reasons[1]).toContain(
      `about ${needed} tasks (now 10) would show the direction with a chance of 80%`,
    );
  });

  test("where nothing differs, the tasks that exclude a margin", () => {
    const { verdict } = inferenceOf(tasks(repeat("bb", 5)), { margin: 0.1 });
    expect(verdict.margin).toBe("undecided");
    const needed = verdict.needed!.margin!.tasks!;
    expect(inferenceOf(tasks(repeat("bb", needed)), { margin: 0.1 }).verdict.nonInferior).toBe(true);
    expect(inferenceOf(tasks(repeat("bb", needed - 2)), { margin: 0.1 }).verdict.nonInferior).toBe(false);
    expect(verdict.reasons[1]).toBe("No size of cohort shows the direction at the observed difference.");
  });

  test("latency is judged only once success is non-inferior", () => {
    const mixed = tasks(repeat("bbb", 40)).map((run, index) => ({ ...run, elapsedMs: run.elapsedMs + (index % 7) }));
    expect(inferenceOf(mixed).verdict.latency).toBe("not-assessed");
    expect(inferenceOf(mixed, { margin: 0.1 }).verdict.latency).toBe("faster");
    const swapped = compare(bare(mixed), "candidate", "baseline", { margin: 0.1 }).inference;
    expect(swapped?.verdict.latency).toBe("slower");
  });
});

describe("the margin", () => {
  const runs = block({});
  const codes = (margin: number | undefined, declared: number | undefined) => {
    const comparison = compare(
      recordSet({ cohorts: [plan(declared === undefined ? {} : { margin: declared })], runs }),
      "baseline",
      "candidate",
      margin === undefined ? {} : { margin },
    );
    return [
      comparison.inference?.margin,
      comparison.inference?.marginDeclared,
      comparison.warnings.some(({ code }) => code === "margin-afterwards"),
    ];
  };
  test("comes from the cohort line, or later with a warning", () => {
    expect(codes(undefined, undefined)).toEqual([null, null, false]);
    expect(codes(undefined, 0.1)).toEqual([0.1, "beforehand", false]);
    expect(codes(0.1, 0.1)).toEqual([0.1, "beforehand", false]);
    expect(codes(0.2, 0.1)).toEqual([0.2, "afterwards", true]);
    expect(codes(0.2, undefined)).toEqual([0.2, "afterwards", true]);
  });
});

test("several models or cohorts: one inference each, none over all", () => {
  const runs = [...task("t", "bb+", { model: "m/1" }), ...task("t", "b-", { model: "m/2" })];
  const { inference, inferenceReason, inferences, sensitivity } = compare(bare(runs), "baseline", "candidate");
  expect(inference).toBeNull();
  expect(inferenceReason?.code).toBe("several-groups");
  expect(inferences.map(({ model, pairs }) => [model, pairs])).toEqual([
    ["m/1", 3],
    ["m/2", 2],
  ]);
  expect(sensitivity.map(({ model }) => model)).toEqual([
    ...Array<string>(4).fill("m/1"),
    ...Array<string>(4).fill("m/2"),
  ]);
});

test("a cohort run until decided has an e-value, and no p-value or interval anywhere", () => {
  const patterns = repeat("++", 12);
  const names = patterns.map((_, index) => `t${index}`);
  const cohorts = [plan({ tasks: names, repetitions: 2, margin: 0.1, untilDecided: { alpha: 0.05, seed: 1 } })];
  const { inference, warnings } = compare(recordSet({ cohorts, runs: tasks(patterns) }), "baseline", "candidate");
  expect(inference?.success.eValue).toBeGreaterThan(20);
  expect(inference?.verdict).toMatchObject({ direction: "improved", margin: "non-inferior", nonInferior: true });
  expect(warnings.map(({ code }) => code)).toContain("optional-stopping");
  const text = JSON.stringify(inference);
  expect(text).not.toMatch(/"pValue":[0-9]|"pValueHolm":[0-9]|"interval":\{/);
  expect(text).toContain('"optional-stopping"');
});

test("in such a cohort each treatment of doubtful attempts has its own evidence", () => {
  const patterns = repeat("+", 12);
  const cohorts = [plan({ tasks: patterns.map((_, index) => `t${index}`), untilDecided: { alpha: 0.05, seed: 1 } })];
  const runs = tasks(patterns).map((run, index) =>
    run.arm === "baseline" && index < 20 ? { ...run, fault: "provider" } : run,
  );
  const { sensitivity, warnings } = compare(recordSet({ cohorts, runs }), "baseline", "candidate");
  expect(sensitivity.map(({ direction }) => direction)).toEqual(["improved", "improved", "undecided", "undecided"]);
  expect(warnings.map(({ code }) => code)).toContain("sensitivity-differs");
});

describe("one task by itself", () => {
  test("its pairs, its p-value from six repetitions upwards, pass@k and pass^k", () => {
    const { perTask } = inferenceOf([...task("long", "++++++bb"), ...task("short", "+b.")]);
    expect(perTask[0]).toMatchObject({
      taskID: "long",
      pairs: { both: 2, candidateOnly: 6, baselineOnly: 0, neither: 0 },
      difference: 0.75,
    });
    expect(perTask[0]?.test.pValue).toBeCloseTo(2 / 2 ** 6, 12);
    expect(perTask[1]?.test).toMatchObject({
      pValue: null,
      reason: { code: "too-few-repetitions", needed: { count: 6 } },
    });
    // One test only, so that there is nothing to adjust for.
    expect(perTask.map(({ pValueHolm }) => pValueHolm)).toEqual([perTask[0]?.test.pValue, null]);
    // The baseline passes 1 of 3: any two of three hold it with chance 2/3, and never both.
    expect(perTask[1]?.passAtK[1]).toMatchObject({ k: 2, candidate: 1 });
    expect(perTask[1]?.passAtK[1]?.baseline).toBeCloseTo(2 / 3, 12);
    expect(perTask[1]?.passHatK[1]?.baseline).toBe(0);
    expect(perTask[1]?.elapsed.baseline.median).toMatchObject({
      interval: null,
      reason: { code: "too-few-samples", needed: { count: 6 } },
    });
  });
});

describe("sensitivity", () => {
  const find = (runs: RunRecord[], voids: Parameters<typeof recordSet>[0]["voids"] = []) => {
    const { sensitivity, warnings } = compare(recordSet({ runs, voids }), "baseline", "candidate");
    const byName = Object.fromEntries(sensitivity.map((entry) => [entry.analysis, entry]));
    return { byName, warned: warnings.some(({ code }) => code === "sensitivity-differs") };
  };

  test("without voids and faults all four agree", () => {
    const { byName, warned } = find(tasks(["b+", "-b"]));
    expect(Object.values(byName).map(({ pairs, affectedPairs }) => [pairs, affectedPairs])).toEqual([
      [4, 0],
      [4, 0],
      [4, 0],
      [4, 0],
    ]);
    expect(warned).toBe(false);
  });

  test("an occasion that was set aside comes back: what verified counts, what did not or is missing failed", () => {
    const voided = [
      ...block({ taskID: "t0", repetition: 0, attempt: 0 }, { verified: true }, { verified: false, outcome: "failed" }),
      block({ taskID: "t1", repetition: 0, attempt: 0 })[0]!,
    ];
    const runs = [...voided, ...tasks(["b", "b"]).map((run) => ({ ...run, attempt: 1 }))];
    const voids = ["t0", "t1"].map((taskID) => ({
      taskID,
      repetition: 0,
      attempt: 0,
      cohort: "c1",
      reason: "provider",
    }));
    const { byName } = find(runs, voids);
    expect(byName["all-attempts"]).toMatchObject({ pairs: 2, difference: { estimate: 0 } });
    expect(byName["voided-as-failures"]).toMatchObject({ pairs: 4, affectedPairs: 2, difference: { estimate: -0.5 } });
  });

  test("faults left out by pair, or counted against the candidate", () => {
    const runs = tasks(["bb", "++", ".."]);
    // A baseline attempt that failed.
    const faulty = runs.map((run) => {
      const isFaulty = run.repetition === 0 && `${run.taskID} ${run.arm}` === "t1 baseline";
      return isFaulty ? { ...run, fault: "provider" } : run;
    });
    const { byName } = find(faulty);
    expect(byName["all-attempts"]?.difference?.estimate).toBeCloseTo(2 / 6, 12);
    expect(byName["faults-left-out"]).toMatchObject({
      tasks: 3,
      pairs: 5,
      affectedPairs: 1,
      difference: { estimate: 0.2 },
    });
    expect(byName["faults-against-candidate"]?.difference?.estimate).toBeCloseTo(1 / 6, 12);
  });

  test("a warning where the answer depends on it", () => {
    const runs = tasks(repeat("+", 8)).map((run) => (run.arm === "baseline" ? { ...run, fault: "provider" } : run));
    const { byName, warned } = find(runs);
    expect(byName["all-attempts"]?.direction).toBe("improved");
    expect(byName["faults-left-out"]).toMatchObject({ tasks: 0, pairs: 0, difference: null, direction: "undecided" });
    expect(warned).toBe(true);
  });
});
