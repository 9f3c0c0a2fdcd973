/**
 * Variance of a ratio of sums over clusters, estimated from the clusters (the CR1 sandwich):
 * T/(T-1) · sum of (sums_t - sizes_t · estimate)² / n². Needs at least two clusters.
 */
export function clusterVariance(sums: readonly number[], sizes: readonly number[], estimate: number): number {
  const clusters = sums.length;
  let squares = 0;
  let n = 0;
  sums.forEach((sum, index) => {
    const size = sizes[index]!;
    squares += (sum - size * estimate) ** 2;
    n += size;
  });
  return ((clusters / (clusters - 1)) * squares) / (n * n);
}

/**
 * How many times larger the variance is than with independent attempts: `observed / independent`, held between 1 and the cap
 * sum(sizes²)/n, which is what whole tasks that always agree with themselves would give. Where independent attempts would
 * have no variance (all alike), the cap: nothing contradicts it.
 */
export function designEffect(observed: number, independent: number, sizes: readonly number[]): number {
  let n = 0;
  let squares = 0;
  for (const size of sizes) {
    n += size;
    squares += size * size;
  }
  const cap = squares / n;
  if (independent <= 0) return cap;
  return Math.min(cap, Math.max(1, observed / independent));
}
