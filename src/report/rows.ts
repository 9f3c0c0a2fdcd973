import type { Cell, Comparison } from "../compare/comparison.ts";
import type { Inference } from "../compare/inference/inference.ts";
import type { Estimated } from "../compare/inference/metrics.ts";
import { metricNames, type MetricName, type Summary } from "../compare/summary.ts";
import {
  counted,
  formatCount,
  formatDifference,
  formatMilliseconds,
  formatPoints,
  formatPointsRange,
  formatRate,
  formatRatio,
  formatRatioRange,
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
  /** Equal notes are one note. */
  const noted = (text: string | null): { note?: number } => {
    if (text === null) return {};
    if (!notes.includes(text)) notes.push(text);
    return { note: notes.indexOf(text) + 1 };
  };
  const rows: Row[] = [
    countRow("attempts", baseline.count, candidate.count),
    countRow("verified", baseline.verifiedCount, candidate.verifiedCount),
    {
      what: "success rate",
      baseline: formatRate(baseline.successRate),
      candidate: formatRate(candidate.successRate),
      change: formatPoints(comparison.successRateDifference),
    },
    ...successIntervals(comparison),
    ...failureKinds.map(([kind, what]) => countRow(what, baseline.failures[kind], candidate.failures[kind])),
    {
      what: "latency, median",
      baseline: timeText(baseline.successfulElapsedMedianMs),
      candidate: timeText(candidate.successfulElapsedMedianMs),
      change: ratioText(comparison),
      ...noted(latencyNote(comparison)),
    },
    ...latencyInterval(comparison, noted),
    {
      what: "latency, P95",
      baseline: timeText(baseline.successfulElapsedP95Ms),
      candidate: timeText(candidate.successfulElapsedP95Ms),
      change: "",
      ...noted(p95Reasons(baseline, candidate)),
    },
    ...metricNames.map((name) => ({
      ...metricRow(name, baseline, candidate),
      ...noted(metricNote(name, baseline, candidate)),
    })),
  ];
  return { rows, notes };
}

/** Verified attempts and median latency of one task. */
export function cellRow({ taskID, baseline, candidate }: Cell): Row {
  const cellText = (summary: Summary) =>
    `${summary.verifiedCount}/${summary.count} ${timeText(summary.successfulElapsedMedianMs)}`;
  return {
    what: taskID,
    baseline: cellText(baseline),
    candidate: cellText(candidate),
    change: formatPoints(candidate.successRate - baseline.successRate),
  };
}

function countRow(what: string, baseline: number, candidate: number): Row {
  const change = formatDifference(candidate - baseline);
  return { what, baseline: formatCount(baseline), candidate: formatCount(candidate), change };
}

const failureKinds = [
  ["failed", "failed"],
  ["timeout", "timed out"],
  ["cancelled", "cancelled"],
  ["completed_unverified", "oracle did not pass"],
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
    what: metricWords[name],
    baseline: from === null ? noValue : formatCount(from),
    candidate: to === null ? noValue : formatCount(to),
    change: from === null || to === null ? noValue : formatDifference(to - from),
  };
}

function metricNote(name: MetricName, baseline: Summary, candidate: Summary): string {
  const [from, to] = [baseline.metrics[name], candidate.metrics[name]];
  if (from.missingCount === 0 && to.missingCount === 0) return "Medians over all attempts, failed ones included.";
  const share = (observed: number, of: number) => `${formatCount(observed)} of ${formatCount(of)}`;
  const observed = `${share(from.observedCount, baseline.count)} baseline and ${share(to.observedCount, candidate.count)} candidate attempts`;
  return `Medians over the attempts whose counters are whole: ${observed}.`;
}

function timeText(ms: number | null): string {
  return ms === null ? noValue : formatMilliseconds(ms);
}

function ratioText({ medianCandidateOverBaselineElapsedRatio: ratio }: Comparison): string {
  return ratio === null ? noValue : formatRatio(ratio);
}

/** No row where there is no interval at all; the verdict then says why. */
function successIntervals({ inference }: Comparison): Row[] {
  if (inference === null) return [];
  const { baseline, candidate, difference } = inference.success;
  if (baseline.interval === null && candidate.interval === null && difference.interval === null) return [];
  const rate = (interval: Estimated["interval"]) =>
    interval === null ? noValue : `${formatRate(interval.lower)} to ${formatRate(interval.upper)}`;
  return [
    {
      what: intervalName(inference),
      baseline: rate(baseline.interval),
      candidate: rate(candidate.interval),
      change: difference.interval === null ? noValue : formatPointsRange(difference.interval),
    },
  ];
}

function latencyInterval({ inference }: Comparison, noted: (text: string) => { note?: number }): Row[] {
  const interval = inference?.latency.ratio.interval ?? null;
  if (inference === null || interval === null) return [];
  const estimate = formatRatio(inference.latency.ratio.estimate ?? Number.NaN);
  return [
    {
      what: intervalName(inference),
      baseline: "",
      candidate: "",
      change: formatRatioRange(interval),
      ...noted(
        `Of the centre of the tasks' ratios, ${estimate}: each task counts once, unlike in the median of all pairs.`,
      ),
    },
  ];
}

function intervalName({ level }: Inference): string {
  return `  ${Number((level * 100).toFixed(4))}% interval`;
}

function latencyNote({ ratioSampleCount, ratioZeroBaselineCount, pairedVerifiedCount }: Comparison): string {
  const zeros = ratioZeroBaselineCount === 0 ? "" : `; ${formatCount(ratioZeroBaselineCount)} left out, baseline 0 ms`;
  const sample =
    pairedVerifiedCount === 0
      ? "no ratio, since no pair verified in both arms"
      : `the ratio is the median over ${counted(ratioSampleCount, "pair")} verified in both arms${zeros}`;
  return `Latency is that of verified attempts; ${sample}.`;
}

function p95Reasons(baseline: Summary, candidate: Summary): string | null {
  const [from, to] = [baseline.successfulElapsedP95Reason?.message, candidate.successfulElapsedP95Reason?.message];
  if (from === undefined && to === undefined) return null;
  if (from === to) return `P95: ${from}.`;
  const parts = [from && `baseline ${from}`, to && `candidate ${to}`].filter(Boolean);
  return `P95: ${parts.join("; ")}.`;
}
