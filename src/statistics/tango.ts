import { checkLevel, type Interval, type IntervalMethod } from "./interval.ts";
import { criticalZ } from "./normal.ts";
import { turningPoint } from "./root.ts";

/**
 * The probability of a baseline-only pair that maximises the likelihood where candidate minus baseline is held at `delta`: the
 * larger root of 2n·q² + B·q + C (Tango 1998, equation 8), in the form that does not cancel.
 */
function restrictedProbability(b: number, c: number, n: number, delta: number): number {
  const linear = (2 * n - b + c) * delta - b - c;
  const constant = -c * delta * (1 - delta);
  const root = Math.sqrt(Math.max(0, linear * linear - 8 * n * constant));
  return linear <= 0 ? (root - linear) / (4 * n) : (-2 * constant) / (root + linear);
}

/**
 * Tango's score interval for the difference of paired proportions (Tango 1998, Statist. Med. 17:891), candidate minus baseline.
 * @param b pairs with only the candidate verified, >= 0, may be fractional
 * @param c pairs with only the baseline verified, >= 0, may be fractional
 * @param n pairs, > 0, may be fractional
 * @returns limits within [-1, 1]; never of zero width, also without a discordant pair
 */
export function tangoInterval(b: number, c: number, n: number, level: number, method: IntervalMethod): Interval {
  checkLevel(level);
  const z = criticalZ(level);
  const estimate = (b - c) / n;
  // Multiplied out, so that a variance of 0 at the end points divides nothing.
  const isRejected = (delta: number): boolean => {
    const distance = b - c - n * delta;
    const variance = n * (2 * restrictedProbability(b, c, n, delta) + delta * (1 - delta));
    return distance * distance > z * z * variance;
  };
  return {
    method,
    level,
    lower: estimate <= -1 ? -1 : turningPoint((delta) => !isRejected(delta), -1, estimate),
    upper: estimate >= 1 ? 1 : turningPoint(isRejected, estimate, 1),
  };
}
