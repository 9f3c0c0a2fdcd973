import { mean } from "simple-statistics";
import { hodgesLehmann, type Centre } from "./hodges-lehmann.ts";

/** Latencies of one task: element r of both lists is repetition r, in milliseconds, null where the attempt was not verified. */
export interface LatencyTask {
  baseline: readonly (number | null)[];
  candidate: readonly (number | null)[];
}

/** Log ratios candidate / baseline of the pairs that both arms verified. */
export interface LogRatios {
  /** Mean log ratio of each task with at least one usable pair. */
  taskMeans: number[];
  /** Usable pairs in all tasks. */
  pairs: number;
  /** Pairs in all, verified or not. */
  totalPairs: number;
  /** Pairs verified by both arms but left out because a latency of 0 ms has no ratio, or one too large for a number. */
  zeroPairs: number;
}

/** @throws RangeError where the arms of a task differ in length */
export function logRatios(tasks: readonly LatencyTask[]): LogRatios {
  const result: LogRatios = { taskMeans: [], pairs: 0, totalPairs: 0, zeroPairs: 0 };
  for (const { baseline, candidate } of tasks) {
    if (baseline.length !== candidate.length)
      throw new RangeError("The arms of a task have different numbers of attempts");
    result.totalPairs += baseline.length;
    const logs: number[] = [];
    baseline.forEach((baselineMs, repetition) => {
      const candidateMs = candidate[repetition]!;
      if (baselineMs === null || candidateMs === null) return;
      const logarithm = Math.log(candidateMs / baselineMs);
      // Not within reach of 0 or infinity, so that whatever is made of it can be a number again.
      if (Math.abs(logarithm) < 700) logs.push(logarithm);
      else result.zeroPairs += 1;
    });
    result.pairs += logs.length;
    if (logs.length > 0) result.taskMeans.push(mean(logs));
  }
  return result;
}

/** The Hodges-Lehmann centre of the tasks' mean log ratios, as a ratio: below 1 the candidate is quicker. */
export function latencyRatio(taskMeans: readonly number[], level: number): Centre {
  const centre = hodgesLehmann(taskMeans, level);
  const estimate = centre.estimate === null ? null : Math.exp(centre.estimate);
  if (centre.interval === null) return { ...centre, estimate };
  const { lower, upper } = centre.interval;
  return { ...centre, estimate, interval: { ...centre.interval, lower: Math.exp(lower), upper: Math.exp(upper) } };
}
