/**
 * The root of a smooth increasing function on [low, high], by Newton's steps that fall back to halving the bracket whenever a
 * step leaves it or does not halve the step before. `at(x)` returns the value and the derivative. Where the function has one
 * sign on the whole bracket, the nearer end is returned. The error is a few bits of max(1, |x|).
 */
export function increasingRoot(at: (x: number) => [number, number], low: number, high: number, guess: number): number {
  let x = guess > low && guess < high ? guess : (low + high) / 2;
  let previousStep = high - low;
  for (let count = 0; count < 400; count += 1) {
    const [value, slope] = at(x);
    if (value === 0) return x;
    if (value < 0) low = x;
    else high = x;
    const newton = x - value / slope;
    const isInside = newton > low && newton < high;
    // Newton's error is squared by each step, so the step after this one would be below the rounding of x.
    if (isInside && Math.abs(newton - x) <= 1e-10 * Math.max(1, Math.abs(x))) return newton;
    const next = isInside && Math.abs(newton - x) <= previousStep / 2 ? newton : (low + high) / 2;
    if (next <= low || next >= high) return next;
    previousStep = Math.abs(next - x);
    x = next;
  }
  return x;
}

/** The point in (low, high) where a predicate turns from false (at low) to true (at high), to the last bit. */
export function turningPoint(isPast: (x: number) => boolean, low: number, high: number): number {
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high || high - low <= 1e-17) return middle;
    if (isPast(middle)) high = middle;
    else low = middle;
  }
}
