import type { Reason } from "../../statistics/interval.ts";
import {
  inferMetrics,
  inferRatio,
  metricOf,
  type InferredMetric,
  type MetricInference,
  type RatioInference,
} from "./metrics.ts";
import { inferOrder, type OrderInference } from "./order.ts";
import { inferTasks, type TaskInference } from "./per-task.ts";
import { inferSuccess, type SuccessInference } from "./success.ts";
import { binaryTasks, valueTasks, verifiedElapsed, type TaskPairs } from "./tasks.ts";
import { judge, type Verdict } from "./verdict.ts";

/** What the pairs of one model and cohort establish. docs/statistics.md explains every method. */
export interface Inference {
  model: string;
  cohort: string;
  /** Of every interval: 1 - alpha. */
  level: number;
  /** Two-sided level of every test. */
  alpha: number;
  /** What was sampled; repetitions within a task are clustered. */
  unit: "task";
  /** Tasks with at least one pair. */
  tasks: number;
  pairs: number;
  /** The smallest loss of success that would matter, 0 to 1. */
  margin: number | null;
  /** Whether the cohort line states the margin; null without a margin. */
  marginDeclared: "beforehand" | "afterwards" | null;
  /** How the number of tasks came about. */
  sampling: "fixed" | "until-decided";
  success: SuccessInference;
  latency: RatioInference;
  metrics: Record<InferredMetric, MetricInference>;
  /** Ratios of all tokens and of cost, over pairs in which both attempts state them. */
  ratios: { totalTokens: RatioInference; costUsd: RatioInference };
  perTask: TaskInference[];
  order: OrderInference;
  verdict: Verdict;
}

/** Why there is no single inference. */
export interface NoInference {
  code: "several-groups";
  message: string;
  needed: Reason["needed"];
}

export interface InferenceInput {
  model: string;
  cohort: string;
  /** 1 or more, in the order of their ids, each with a pair. */
  tasks: readonly TaskPairs[];
  alpha: number;
  margin: number | null;
  marginDeclared: Inference["marginDeclared"];
  sampling: Inference["sampling"];
}

export function infer({ tasks, alpha, margin, sampling, ...rest }: InferenceInput): Inference {
  const isFixed = sampling === "fixed";
  const binary = binaryTasks(tasks);
  const success = inferSuccess(binary, alpha, isFixed);
  const latency = inferRatio(valueTasks(tasks, verifiedElapsed), alpha, isFixed);
  const ratioOf = (name: InferredMetric): RatioInference =>
    inferRatio(
      valueTasks(tasks, (run) => metricOf(run, name)),
      alpha,
      isFixed,
    );
  return {
    ...rest,
    level: 1 - alpha,
    alpha,
    unit: "task",
    tasks: tasks.length,
    pairs: tasks.reduce((sum, task) => sum + task.pairs.length, 0),
    margin,
    sampling,
    success,
    latency,
    metrics: inferMetrics(tasks, alpha, isFixed),
    ratios: { totalTokens: ratioOf("totalTokens"), costUsd: ratioOf("costUsd") },
    perTask: inferTasks(tasks, alpha, isFixed),
    order: inferOrder(tasks, alpha, isFixed),
    verdict: judge(binary, success.difference, latency, { alpha, margin, eValue: success.eValue }),
  };
}
