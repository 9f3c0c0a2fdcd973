import { z } from "zod";

const count = z.int().nonnegative();
/** Up to 2^53 - 1, so that a mean of two stays finite. */
const milliseconds = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
const label = z.string().min(1).max(300);

export const outcomes = ["completed", "failed", "timeout", "cancelled"] as const;
export type Outcome = (typeof outcomes)[number];

/** The counters that the documented record holds, in the order in which they are shown. */
export const metricNames = [
  "inputTokens",
  "outputTokens",
  "reasoningTokens",
  "cacheReadTokens",
  "toolCalls",
  "toolErrors",
] as const;
export type MetricName = (typeof metricNames)[number];

/** One attempt. Optional fields are absent where not observed, never 0 for unknown; unknown fields are kept. */
export const RunRecord = z
  .looseObject({
    taskID: label,
    arm: label,
    model: label,
    cohort: label,
    /** Counted from 0. */
    repetition: count,
    /** How the CLI ended. */
    outcome: z.enum(outcomes),
    /** The oracle passed; only with `completed`. */
    verified: z.boolean(),
    /** CLI from spawn to exit, plus `verificationMs`; monotonic clock. */
    elapsedMs: milliseconds,
    /** The oracle's run; absent when it did not run. */
    verificationMs: milliseconds.optional(),
    /** Without cache reads, and without cache writes where the CLI tells them apart. */
    inputTokens: count.optional(),
    /** Without reasoning where the CLI tells them apart. */
    outputTokens: count.optional(),
    reasoningTokens: count.optional(),
    cacheReadTokens: count.optional(),
    /** Tool calls that ended. */
    toolCalls: count.optional(),
    /** Of these, the ones in error. */
    toolErrors: count.optional(),
    metricsStatus: z.enum(["observed", "partial", "unavailable"]).optional(),

    schemaVersion: count.optional(),
    /** Occasion of this block, counted from 0. */
    attempt: count.optional(),
    /** Place of the arm within its block. */
    position: z.union([z.literal(0), z.literal(1)]).optional(),
    /** RFC 3339, UTC. */
    startedAt: z.string().max(64).optional(),
    /** null when a signal ended the CLI or it never started. */
    exitCode: z.int().nullable().optional(),
    signal: z.string().max(64).nullable().optional(),
    cacheWriteTokens: count.optional(),
    /** US dollars, as the CLI states it. */
    costUsd: z.number().nonnegative().optional(),
    /** Model requests that ended. */
    steps: count.optional(),
    /** How the oracle ended; absent when it did not run. */
    oracle: z.enum(["passed", "failed", "broken", "timeout"]).optional(),
    /** Why the attempt could not be a fair sample: `provider`, `harness` or `oracle`, and more after a colon. Advisory. */
    fault: z.string().min(1).max(64).optional(),
    /** Protected files that the agent changed. */
    protectedChanged: count.optional(),
    /** Commit id of the fixture. */
    fixtureRevision: z.string().max(64).optional(),
    /** What held the attempt's processes together. */
    containment: z.string().max(64).optional(),
    /** Processes still there after the CLI itself had ended. */
    leftoverProcesses: count.optional(),
    sessionID: z.string().max(300).optional(),
  })
  .refine((run) => !run.verified || run.outcome === "completed", {
    path: ["verified"],
    error: "can be true only with outcome completed",
  });
export type RunRecord = z.infer<typeof RunRecord>;

/** The plan of a cohort, so that a pair missing in both arms is missed too. */
export const CohortRecord = z.looseObject({
  schemaVersion: count,
  /** SHA-256 of the resolved manifest. */
  cohort: label,
  /** Version of this program. */
  harnessVersion: label,
  name: z.string().optional(),
  model: label,
  runtimeRevision: label,
  agent: label,
  /** What the agent's own binary reports; absent where it was not asked or did not answer. */
  agentVersion: z.string().max(300).optional(),
  /** `[baseline, candidate]`. */
  arms: z.tuple([label, label]),
  tasks: z.array(label).min(1).max(10_000),
  repetitions: z.int().min(1).max(1000),
  /** false: a smoke run, which planned only some of the blocks of `tasks` and `repetitions`. */
  whole: z.boolean().optional(),
  margin: z.number().min(0).max(1).optional(),
  /** Arms whose work runs in child sessions, which the counters do not see. */
  childSessions: z.array(label).max(2).optional(),
  /** Set where the cohort may stop on its own results; task blocks then ran in an order drawn from the seed. */
  untilDecided: z.looseObject({ alpha: z.number().gt(0).lt(1), seed: count }).optional(),
  startedAt: z.string().max(64).optional(),
  node: z.string().max(64).optional(),
  platform: z.string().max(64).optional(),
});
export type CohortRecord = z.infer<typeof CohortRecord>;

/** An occasion of a block that was set aside, both arms; the block is run again. */
export const VoidRecord = z.looseObject({
  taskID: label,
  repetition: count,
  attempt: count,
  /** Absent: the one cohort of the file. */
  cohort: label.optional(),
  reason: z.string().max(300),
});
export type VoidRecord = z.infer<typeof VoidRecord>;

/** An honest early stop: what was planned and what was done. */
export const StopRecord = z.looseObject({
  /** Absent: the one cohort of the file. */
  cohort: label.optional(),
  reason: z.string().max(300).optional(),
  plannedBlocks: count.optional(),
  completedBlocks: count.optional(),
  /** Evidence at the stop; `compare` works it out again. */
  eValue: z.number().nonnegative().optional(),
});
export type StopRecord = z.infer<typeof StopRecord>;

/** One line of a record file. */
export const RecordLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("cohort"), cohort: CohortRecord }),
  z.looseObject({ type: z.literal("run"), run: RunRecord }),
  z.looseObject({ type: z.literal("void"), void: VoidRecord }),
  z.looseObject({ type: z.literal("stop"), stop: StopRecord }),
  z.looseObject({ type: z.literal("comparison"), comparison: z.unknown(), incomplete: z.boolean().optional() }),
]);
export type RecordLine = z.infer<typeof RecordLine>;
