/** Below this the central series loses at most a digit to cancellation, above it the tail's continued fraction is short. */
const SERIES_BELOW = 1.5;

/** Density of the standard normal distribution. */
export function normalDensity(z: number): number {
  // exp(-z²/2) of a large z would magnify the rounding of z²; sixteenths square exactly.
  const sixteenths = Math.round(z * 16) / 16;
  const rest = (z - sixteenths) * (z + sixteenths);
  return (Math.exp((-sixteenths * sixteenths) / 2) * Math.exp(-rest / 2)) / Math.sqrt(2 * Math.PI);
}

/** P(Z > x) for x >= 0; relative error below 1e-14. */
function upperTail(x: number): number {
  if (x < SERIES_BELOW) return 0.5 - normalDensity(x) * centralSeries(x);
  if (x > 40) return 0;
  // Laplace's continued fraction of Mills' ratio (Abramowitz and Stegun 26.2.14), from the far end inwards.
  let fraction = 0;
  for (let term = Math.ceil(350 / (x * x)) + 10; term >= 1; term -= 1) fraction = term / (x + fraction);
  return normalDensity(x) / (x + fraction);
}

/** x + x³/3 + x⁵/(3·5) + …, so that Φ(x) = 1/2 + φ(x) times this sum (Abramowitz and Stegun 26.2.11). */
function centralSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let odd = 3; term > sum * 1e-18; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return sum;
}

/** P(Z <= z) of the standard normal distribution; relative error below 1e-13 down to 1e-300. */
export function normalCdf(z: number): number {
  return z < 0 ? upperTail(-z) : 1 - upperTail(z);
}

/**
 * The z with P(Z <= z) = p. Starts from the rational approximation of Hastings (Abramowitz and Stegun 26.2.23, 4.5e-4) and
 * takes Halley's steps on the cdf above, each of which triples the digits.
 * @throws RangeError unless 0 < p < 1
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`A probability of a quantile lies between 0 and 1, not ${p}`);
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p === 0.5) return 0;
  const t = Math.sqrt(-2 * Math.log(p));
  const top = 2.515517 + t * (0.802853 + t * 0.010328);
  const bottom = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  let z = top / bottom - t;
  for (let step = 0; step < 3; step += 1) {
    const newton = (upperTail(-z) - p) / normalDensity(z);
    z -= newton / (1 + (z * newton) / 2);
    // A start near the median may cross zero, where the lower tail is no longer an upper tail's mirror.
    if (z > 0) z = 0;
  }
  return z;
}

/** The z that leaves (1 - level) / 2 in each tail. */
export function criticalZ(level: number): number {
  return -normalQuantile((1 - level) / 2);
}
