import type { Cell, Comparison } from "../compare/comparison.ts";
import { metricNames, type MetricName, type Summary } from "../compare/summary.ts";
import {
  formatCount,
  formatDifference,
  formatMilliseconds,
  formatPoints,
  formatRate,
  formatRatio,
  noValue,
} from "./numbers.ts";

/** One line of a report, as text of our own making; `what` of a task is a name from a record. */
export interface Row {
  what: string;
  baseline: string;
  candidate: string;
  /** Candidate against baseline; empty where neither a difference nor a ratio is meant. */
  change: string;
  /** Number of the note that explains the row, counted from 1. */
  note?: number;
}

/** The rows over all cells, and their notes. */
export function totalRows(comparison: Comparison): { rows: Row[]; notes: string[] } {
  const { baseline, candidate } = comparison;
  const notes: string[] = [];
  const noted = (text: string) => notes.push(text);
  const p95Note = p95Reasons(baseline, candidate);
  const rows: Row[] = [
    {
      what: "verified",
      baseline: successText(baseline),
      candidate: successText(candidate),
      change: formatPoints(comparison.successRateDifference),
    },
    ...failureKinds.map(([kind, what]) => ({
      what,
      baseline: formatCount(baseline.failures[kind]),
      candidate: formatCount(candidate.failures[kind]),
      change: formatDifference(candidate.failures[kind] - baseline.failures[kind]),
    })),
    {
      what: "latency, median",
      baseline: timeText(baseline.successfulElapsedMedianMs),
      candidate: timeText(candidate.successfulElapsedMedianMs),
      change: ratioText(comparison),
      note: noted(latencyNote(comparison)),
    },
    {
      what: "latency, P95",
      baseline: timeText(baseline.successfulElapsedP95Ms),
      candidate: timeText(candidate.successfulElapsedP95Ms),
      change: "",
      ...(p95Note === null ? {} : { note: noted(p95Note) }),
    },
  ];
  for (const name of metricNames) {
    const note = missingNote(name, baseline, candidate);
    rows.push({ ...metricRow(name, baseline, candidate), ...(note === null ? {} : { note: noted(note) }) });
  }
  return { rows, notes };
}

/** Verified attempts and median latency of one task. */
export function cellRow({ taskID, baseline, candidate }: Cell): Row {
  const cellText = (summary: Summary) =>
    `${summary.verifiedCount}/${summary.count}  ${timeText(summary.successfulElapsedMedianMs)}`;
  return {
    what: taskID,
    baseline: cellText(baseline),
    candidate: cellText(candidate),
    change: formatPoints(candidate.successRate - baseline.successRate),
  };
}

const failureKinds = [
  ["failed", "failed"],
  ["timeout", "timed out"],
  ["cancelled", "cancelled"],
  ["completed_unverified", "completed, not verified"],
] as const;

const metricWords: Readonly<Record<MetricName, string>> = {
  inputTokens: "input tokens",
  outputTokens: "output tokens",
  reasoningTokens: "reasoning tokens",
  cacheReadTokens: "cache read tokens",
  toolCalls: "tool calls",
  toolErrors: "tool errors",
};

function metricRow(name: MetricName, baseline: Summary, candidate: Summary): Row {
  const [from, to] = [baseline.metrics[name].median, candidate.metrics[name].median];
  return {
    what: `${metricWords[name]}, median`,
    baseline: from === null ? noValue : formatCount(from),
    candidate: to === null ? noValue : formatCount(to),
    change: from === null || to === null ? noValue : formatDifference(to - from),
  };
}

function missingNote(name: MetricName, baseline: Summary, candidate: Summary): string | null {
  if (baseline.metrics[name].missingCount === 0 && candidate.metrics[name].missingCount === 0) return null;
  const share = (summary: Summary) =>
    `${formatCount(summary.metrics[name].observedCount)} of ${formatCount(summary.count)}`;
  return `${metricWords[name]} observed in ${share(baseline)} baseline and ${share(candidate)} candidate attempts.`;
}

function successText({ verifiedCount, count, successRate }: Summary): string {
  return `${formatCount(verifiedCount)}/${formatCount(count)} ${formatRate(successRate)}`;
}

function timeText(ms: number | null): string {
  return ms === null ? noValue : formatMilliseconds(ms);
}

function ratioText({ medianCandidateOverBaselineElapsedRatio: ratio }: Comparison): string {
  return ratio === null ? noValue : formatRatio(ratio);
}

function latencyNote({ ratioSampleCount, ratioZeroBaselineCount, pairedVerifiedCount }: Comparison): string {
  const zeros = ratioZeroBaselineCount === 0 ? "" : `; ${formatCount(ratioZeroBaselineCount)} left out, baseline 0 ms`;
  const sample =
    pairedVerifiedCount === 0
      ? "no ratio, since no pair verified in both arms"
      : `the ratio is the median over ${formatCount(ratioSampleCount)} pairs verified in both arms${zeros}`;
  return `Latency is that of verified attempts; ${sample}.`;
}

function p95Reasons(baseline: Summary, candidate: Summary): string | null {
  const [from, to] = [baseline.successfulElapsedP95Reason?.message, candidate.successfulElapsedP95Reason?.message];
  if (from === undefined && to === undefined) return null;
  if (from === to) return `P95: ${from}.`;
  const parts = [from && `baseline ${from}`, to && `candidate ${to}`].filter(Boolean);
  return `P95: ${parts.join("; ")}.`;
}
