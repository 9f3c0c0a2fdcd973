/**
 * The k-th smallest of the Walsh averages (x_i + x_j) / 2, i <= j, without forming them: for n values the averages of every
 * row grow with j, so that counting those up to a bound takes one walk along the staircase, and the bound is halved in
 * between. About 60 walks of n steps, no memory beyond the values.
 * @param sorted values in rising order
 * @param rank from 1 to n (n + 1) / 2
 */
export function walshAverage(sorted: readonly number[], rank: number): number {
  const n = sorted.length;
  if (!(rank >= 1 && rank <= (n * (n + 1)) / 2))
    throw new RangeError(`There is no Walsh average of rank ${rank} of ${n} values`);
  // Twice the averages are searched. Both ends are always sums that occur.
  let low = 2 * sorted[0]!;
  let high = 2 * sorted[n - 1]!;
  while (low < high) {
    const halfway = low + (high - low) / 2;
    // Between neighbouring numbers the half rounds to either; it must leave something above it.
    const middle = halfway < high ? halfway : low;
    const walk = walkTo(sorted, middle);
    if (walk.count >= rank) high = walk.largestUpTo;
    else low = walk.smallestBeyond;
  }
  return low / 2;
}

interface Walk {
  /** Pairs i <= j with a sum up to the bound. */
  count: number;
  largestUpTo: number;
  smallestBeyond: number;
}

function walkTo(sorted: readonly number[], bound: number): Walk {
  let count = 0;
  let largestUpTo = -Infinity;
  let smallestBeyond = Infinity;
  // For growing i the last j with x_i + x_j <= bound falls.
  let j = sorted.length - 1;
  for (let i = 0; i < sorted.length; i += 1) {
    const value = sorted[i]!;
    while (j >= i && value + sorted[j]! > bound) j -= 1;
    const next = Math.max(j + 1, i);
    if (next < sorted.length) smallestBeyond = Math.min(smallestBeyond, value + sorted[next]!);
    if (j < i) continue;
    count += j - i + 1;
    largestUpTo = Math.max(largestUpTo, value + sorted[j]!);
  }
  return { count, largestUpTo, smallestBeyond };
}
