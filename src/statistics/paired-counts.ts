/** The pairs of one task: element r of both lists is repetition r of that arm, true where the attempt was verified. */
export interface BinaryTask {
  baseline: readonly boolean[];
  candidate: readonly boolean[];
}

/** What the success analyses need of the pairs. Tasks without a pair are left out. */
export interface PairedCounts {
  /** T, tasks with at least one pair. */
  tasks: number;
  /** n, pairs in all tasks. */
  pairs: number;
  /** Pairs with both arms verified. */
  both: number;
  /** b, pairs with only the candidate verified. */
  candidateOnly: number;
  /** c, pairs with only the baseline verified. */
  baselineOnly: number;
  /** Pairs with neither arm verified. */
  neither: number;
  /** R_t, pairs of each task. */
  sizes: number[];
  /** S_t, candidate minus baseline successes of each task. */
  sums: number[];
}

/**
 * Counts the pairs of the tasks.
 * @throws RangeError where the arms of a task differ in length: pairs must have been made before
 */
export function countPairs(tasks: readonly BinaryTask[]): PairedCounts {
  const counts: PairedCounts = {
    tasks: 0,
    pairs: 0,
    both: 0,
    candidateOnly: 0,
    baselineOnly: 0,
    neither: 0,
    sizes: [],
    sums: [],
  };
  for (const { baseline, candidate } of tasks) {
    if (baseline.length !== candidate.length)
      throw new RangeError("The arms of a task have different numbers of attempts");
    if (baseline.length === 0) continue;
    let sum = 0;
    baseline.forEach((baselinePassed, repetition) => {
      const candidatePassed = candidate[repetition]!;
      if (baselinePassed && candidatePassed) counts.both += 1;
      else if (candidatePassed) counts.candidateOnly += 1;
      else if (baselinePassed) counts.baselineOnly += 1;
      else counts.neither += 1;
      sum += Number(candidatePassed) - Number(baselinePassed);
    });
    counts.tasks += 1;
    counts.pairs += baseline.length;
    counts.sizes.push(baseline.length);
    counts.sums.push(sum);
  }
  return counts;
}
