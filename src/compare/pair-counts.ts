import type { Pair } from "./pair.ts";

/** Pairs by which of their arms verified; the four add up to the number of pairs. */
export interface PairCounts {
  both: number;
  baselineOnly: number;
  candidateOnly: number;
  neither: number;
}

export function countSides(pairs: readonly Pair[]): PairCounts {
  const counts: PairCounts = { both: 0, baselineOnly: 0, candidateOnly: 0, neither: 0 };
  for (const { baseline, candidate } of pairs) counts[sideOf(baseline.run.verified, candidate.run.verified)]++;
  return counts;
}

function sideOf(baseline: boolean, candidate: boolean): keyof PairCounts {
  if (baseline) return candidate ? "both" : "baselineOnly";
  return candidate ? "candidateOnly" : "neither";
}
