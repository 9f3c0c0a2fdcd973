import { compare, type Comparison } from "../../src/compare/comparison.ts";
import type { RunRecord } from "../../src/record/schema.ts";
import { block, plan, recordSet } from "../compare/records.ts";

const tasks = ["csv-import", "retry-budget", "session-cache"];

/**
 * Three tasks of four repetitions. The baseline verifies 6 of 12, the candidate 9 of 12: both in 5 blocks, the baseline
 * alone in 1, the candidate alone in 4, neither in 2.
 */
const verified: Record<string, [boolean, boolean][]> = {
  "csv-import": [
    [true, true],
    [true, true],
    [false, true],
    [true, true],
  ],
  "retry-budget": [
    [true, true],
    [false, true],
    [true, false],
    [false, true],
  ],
  "session-cache": [
    [true, true],
    [false, false],
    [false, true],
    [false, false],
  ],
};

export function exampleComparison(): Comparison {
  const cohorts = ["1.3.9", "1.4.0"].map((agentVersion) => ({ ...examplePlan, agentVersion }));
  return compare(recordSet({ cohorts, runs: exampleRuns() }), "baseline", "candidate");
}

/** The same twice, under two models and so in two cohorts: 24 pairs in 6 cells. */
export function exampleOfTwoModels(): Comparison {
  const other = { model: "other/model", cohort: "77e1d2" };
  const cohorts = [examplePlan, { ...examplePlan, ...other }];
  return compare(recordSet({ cohorts, runs: [...exampleRuns(), ...exampleRuns(other)] }), "baseline", "candidate");
}

const examplePlan = plan({ cohort: "5b9f0c", tasks, repetitions: 4 });

function exampleRuns(changes: Partial<RunRecord> = {}): RunRecord[] {
  const runs = tasks.flatMap((taskID, task) =>
    (verified[taskID] ?? []).flatMap(([baseline, candidate], repetition) => {
      const [first, second] = (task + repetition) % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      return block(
        { taskID, repetition, cohort: "5b9f0c", fixtureRevision: `f${task}`, containment: "process-group", ...changes },
        attempt({ verified: baseline, elapsedMs: 4000 + 900 * task + 150 * repetition, position: first }),
        attempt({ verified: candidate, elapsedMs: 3600 + 700 * task + 110 * repetition, position: second }),
      );
    }),
  );
  // One attempt that ran out of time, and so has no counters.
  const last = runs.at(-1);
  if (last !== undefined) Object.assign(last, { outcome: "timeout", metricsStatus: "partial", inputTokens: undefined });
  return runs;
}

function attempt(changes: Partial<RunRecord> & { elapsedMs: number }): Partial<RunRecord> {
  return {
    inputTokens: 20 * changes.elapsedMs,
    outputTokens: changes.elapsedMs / 2,
    reasoningTokens: 0,
    cacheReadTokens: 12_000,
    toolCalls: 9,
    toolErrors: changes.verified ? 0 : 2,
    metricsStatus: "observed",
    ...changes,
  };
}
