import { describe, expect, test } from "vitest";
import { evaluateGate, type GateDecision, type GatePolicy } from "../../src/compare/gate.ts";
import { InputError } from "../../src/problem.ts";
import type { RunRecord } from "../../src/record/schema.ts";
import { patternTask, patternTasks, repeat } from "./patterns.ts";
import { bare, plan, recordSet } from "./records.ts";

const success = { margin: 0.1 };
const equal = patternTasks(repeat("bbb", 40));

function gate(runs: readonly RunRecord[], policy: Partial<GatePolicy> = {}): GateDecision {
  return evaluateGate(bare(runs), "baseline", "candidate", { success, ...policy });
}

/** Elapsed times with the given ratio in the middle, spread evenly over tasks. */
function timed(runs: readonly RunRecord[], ratio: number, spread = 0.1): RunRecord[] {
  return runs.map((run) => {
    const place = (Number(run.taskID.slice(1)) % 5) / 2 - 1;
    return { ...run, elapsedMs: run.arm === "candidate" ? 1000 * ratio * Math.exp(spread * place) : 1000 };
  });
}

describe("success", () => {
  test("passes a candidate that is shown to be non-inferior", () => {
    const { decision, reason } = gate(equal);
    expect(decision).toBe("passed");
    expect(reason).toMatch(
      /^Success is non-inferior, a loss of 10 points or more is excluded: 0\.0 points, 95% interval -\d+\.\d to \+\d+\.\d, p = 1\.0/,
    );
  });

  test("decides against an inferior candidate", () => {
    const { decision, reason } = gate(patternTasks([...repeat("---", 12), "bbb"]));
    expect(decision).toBe("failed");
    expect(reason).toMatch(/^Success is inferior, the loss exceeds 10 points: -92\.3 points/);
  });

  test("decides against a regressed candidate that may have lost more than the margin", () => {
    // 12 of 40 tasks lose one pair of three: -10 points, far from 0, and around the margin.
    const { decision, reason } = gate(patternTasks([...repeat("-bb", 12), ...repeat("bbb", 28)]));
    expect(decision).toBe("failed");
    expect(reason).toMatch(/^Success regressed, and a loss of 10 points or more is not excluded: -10\.0 points/);
  });

  test("passes a regressed candidate whose loss is shown to be below the margin", () => {
    const runs = patternTasks([...repeat("-bbbbbbbbbbbbbbbbbbb", 30), ...repeat("bbbbbbbbbbbbbbbbbbbb", 30)]);
    const { decision, comparison } = gate(runs);
    expect(comparison.inference?.verdict.direction).toBe("regressed");
    expect(decision).toBe("passed");
  });

  test("is undecided on too little, and says how much it takes", () => {
    const { decision, reason } = gate(patternTasks(repeat("b", 7)));
    expect(decision).toBe("undecided");
    expect(reason).toMatch(/about 36 tasks \(now 7\) would show a loss below 10 points with a chance of 80%/);
  });

  test("knows that a policy's margin was declared, unless the manifest declares another", () => {
    const declared = (margin?: number) => {
      const cohorts = [plan({ tasks: ["t0"], ...(margin === undefined ? {} : { margin }) })];
      const records = recordSet({ cohorts, runs: patternTasks(["b"]) });
      return evaluateGate(records, "baseline", "candidate", { success }).comparison.inference?.marginDeclared;
    };
    expect([declared(), declared(0.1), declared(0.2)]).toEqual(["beforehand", "beforehand", "afterwards"]);
  });
});

describe("limits", () => {
  const statuses = (runs: readonly RunRecord[], policy: Partial<GatePolicy>) => {
    const found = gate(runs, policy);
    const limits = found.checks.filter(({ name }) => ["latency", "tokens", "cost"].includes(name));
    return [found.decision, ...limits.map(({ name, status }) => `${name} ${status}`)];
  };

  test("met below, broken above 1 and not below, undecided between", () => {
    const latency = { maxRatio: 1.1 };
    expect(statuses(timed(equal, 0.9), { latency })).toEqual(["passed", "latency met"]);
    expect(statuses(timed(equal, 1.3), { latency })).toEqual(["failed", "latency broken"]);
    expect(statuses(timed(equal, 1.05, 0.5), { latency })).toEqual(["undecided", "latency undecided"]);
  });

  test("tasks with one and the same ratio are judged by it", () => {
    expect(statuses(equal, { latency: { maxRatio: 0.6 } })).toEqual(["passed", "latency met"]);
    const three = { minTasks: 1, latency: { maxRatio: 0.6 }, success: { margin: 0.9 } };
    expect(statuses(patternTasks(repeat("b", 3)), three)).toEqual(["undecided", "latency undecided"]);
  });

  test("are not asked about before success is non-inferior", () => {
    const runs = timed(patternTasks(repeat("b", 7)), 3);
    expect(statuses(runs, { latency: { maxRatio: 1.1 } })).toEqual(["undecided", "latency not-assessed"]);
  });

  test("on tokens and cost, which nobody stated: undecided", () => {
    const limits = { tokens: { maxRatio: 1.1 }, cost: { maxRatio: 1.1 } };
    expect(statuses(equal, limits)).toEqual(["undecided", "tokens undecided", "cost undecided"]);
    const stated = equal.map((run) => ({
      ...run,
      inputTokens: run.arm === "candidate" ? 400 : 500,
      outputTokens: 100 + (run.taskID.length + run.repetition),
      costUsd: run.arm === "candidate" ? 2 : 1,
    }));
    expect(statuses(stated, limits)).toEqual(["failed", "tokens met", "cost broken"]);
  });

  test("several share alpha by Holm: what breaks alone need not break beside others", () => {
    // Of six tasks all are slower, which is p = 2/64; and all are dearer.
    const slow = patternTasks(repeat("b", 6)).map((run, index) => {
      const by = run.arm === "candidate" ? 1.1 + 0.01 * Math.floor(index / 2) : 1;
      return { ...run, elapsedMs: 1000 * by, costUsd: by, inputTokens: Math.round(1000 * by), outputTokens: 1 };
    });
    const limit = { maxRatio: 1.05 };
    const asked = { latency: limit, success: { margin: 0.9 } };
    expect(statuses(slow, asked)).toEqual(["failed", "latency broken"]);
    // Three times 2/64 is above 0.05.
    const all = { ...asked, tokens: limit, cost: limit };
    const undecided = ["undecided", "latency undecided", "tokens undecided", "cost undecided"];
    expect(statuses(slow, all)).toEqual(undecided);
    const [first, ...others] = statuses(slow, { ...all, alpha: 0.1 });
    expect([first, ...others]).toEqual(["failed", "latency broken", "tokens broken", "cost broken"]);
  });

  test("on tokens are undecided where more than a tenth of the pairs do not state them", () => {
    const stated = (share: number) =>
      equal.map((run) => {
        const isStated = Number(run.taskID.slice(1)) < share * 40;
        return isStated
          ? { ...run, inputTokens: 100 + run.repetition, outputTokens: run.arm === "candidate" ? 1 : 2 }
          : run;
      });
    const tokens = { maxRatio: 1.1 };
    expect(statuses(stated(0.95), { tokens })).toEqual(["passed", "tokens met"]);
    expect(statuses(stated(0.8), { tokens })).toEqual(["undecided", "tokens undecided"]);
    expect(gate(stated(0.8), { tokens }).reason).toContain("only 32 tasks, 96 pairs of 40 and 120 state it");
  });

  test("on tokens are refused where the work runs in child sessions", () => {
    const cohorts = [plan({ tasks: ["t0"], childSessions: ["candidate"] })];
    const records = recordSet({ cohorts, runs: patternTasks(["b"]) });
    const decide = (policy: Partial<GatePolicy>) => () =>
      evaluateGate(records, "baseline", "candidate", { success, ...policy });
    expect(decide({ tokens: { maxRatio: 1 } })).toThrow(
      /tokens: arm candidate works in child sessions .* take the limits/,
    );
    expect(decide({ cost: { maxRatio: 1 } })).toThrow(InputError);
    expect(decide({})).not.toThrow();
  });
});

describe("what the cohort must be", () => {
  test("of six tasks at least, unless the policy says otherwise", () => {
    const five = patternTasks(repeat("------", 5));
    expect(gate(five)).toMatchObject({ decision: "undecided", reason: "Too few: 5 tasks of 6 needed." });
    expect(gate(five, { minTasks: 5 }).decision).toBe("failed");
    expect(gate(patternTasks(repeat("---", 6))).decision).toBe("failed");
  });

  test("before success is judged: too few tasks or too many faults are undecided, however bad the candidate looks", () => {
    const bad = patternTasks(repeat("---", 12));
    const faulty = bad.map((run) => (run.arm === "candidate" ? { ...run, fault: "provider" } : run));
    for (const [runs, policy] of [
      [bad, { minTasks: 13 }],
      [faulty, { maxFaultRate: 0.5 }],
    ] as const) {
      const { decision, checks } = gate(runs, { ...policy, latency: { maxRatio: 1 } });
      expect(decision).toBe("undecided");
      const judged = checks.filter(({ name }) => name === "success" || name === "latency");
      expect(judged.map(({ status }) => status)).toEqual(["not-assessed", "not-assessed"]);
    }
  });

  test("large enough", () => {
    expect(gate(equal, { minTasks: 41, minPairs: 121 })).toMatchObject({
      decision: "undecided",
      reason: "Too few: 40 tasks of 41 needed, 120 pairs of 121 needed.",
    });
    expect(gate(equal, { minTasks: 40, minPairs: 120 }).decision).toBe("passed");
  });

  test("planned, where the policy demands it", () => {
    expect(gate(equal, { requirePlan: true }).decision).toBe("undecided");
    const cohorts = [plan({ tasks: repeat("", 40).map((_, index) => `t${index}`), repetitions: 3 })];
    const records = recordSet({ cohorts, runs: equal });
    expect(evaluateGate(records, "baseline", "candidate", { success, requirePlan: true }).decision).toBe("passed");
  });

  test("fair: the arm with the larger share of faults counts, voided attempts too", () => {
    const faulty = equal.map((run, index) =>
      index < 20 && run.arm === "baseline" ? { ...run, fault: "provider" } : run,
    );
    expect(gate(faulty, { maxFaultRate: 0.08 })).toMatchObject({
      decision: "undecided",
      reason: "8.33% of the attempts of baseline had a fault; at most 8% may.",
    });
    expect(gate(faulty, { maxFaultRate: 0.09 }).decision).toBe("passed");
  });

  test("untampered: a candidate that changed protected files fails whatever else is missing", () => {
    const tampered = patternTasks(["b"]).map((run) =>
      run.arm === "candidate" ? { ...run, protectedChanged: 2 } : run,
    );
    expect(gate(tampered, { minTasks: 10 })).toMatchObject({
      decision: "failed",
      reason: "The candidate changed 2 protected files; at most 0 may be.",
    });
    expect(gate(tampered, { maxProtectedChanged: 2 }).decision).toBe("undecided");
    const baselineOnly = equal.map((run) => (run.arm === "baseline" ? { ...run, protectedChanged: 2 } : run));
    expect(gate(baselineOnly).decision).toBe("passed");
  });

  test("complete, of one model and cohort, and not empty", () => {
    expect(() => gate([])).toThrow(InputError);
    expect(() => gate(equal.slice(1))).toThrow(InputError);
    expect(() => gate([...patternTask("t", "b", { model: "a" }), ...patternTask("t", "b", { model: "b" })])).toThrow(
      /2 groups of one model and cohort each.*gate each model/,
    );
  });
});
