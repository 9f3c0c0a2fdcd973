import type { Tails } from "./beta.ts";
import { normalCdf } from "./normal.ts";

/** Beyond this exponent of the density what is left out is below 1e-19. */
const CUT = 45;

/**
 * Both tails at t of the noncentral t distribution, (Z + noncentrality) / sqrt(χ²/df), df >= 1; absolute error below 1e-13.
 *
 * P(T <= t) is the mean of Φ(t·u - noncentrality) over u = sqrt(χ²/df). With u = exp(w) the density of w falls off at least
 * exponentially on both sides and is analytic, so the trapezoid rule converges geometrically in its step (Trefethen and
 * Weideman 2014). Dividing by the rule's own sum of the density spares the normalising constant.
 */
export function noncentralTTails(t: number, df: number, noncentrality: number): Tails {
  const curvature = 2 * df + Math.max(t * t, noncentrality * noncentrality) + 20;
  const step = 0.4 / Math.sqrt(curvature);
  let mass = 0;
  let lower = 0;
  let upper = 0;
  const visit = (w: number): boolean => {
    const exponent = (df / 2) * (Math.expm1(2 * w) - 2 * w);
    if (exponent > CUT) return false;
    const density = Math.exp(-exponent);
    const z = t * Math.exp(w) - noncentrality;
    mass += density;
    lower += density * normalCdf(z);
    upper += density * normalCdf(-z);
    return true;
  };
  for (let index = 0; visit(index * step); index += 1);
  for (let index = -1; visit(index * step); index -= 1);
  return { lower: lower / mass, upper: upper / mass };
}

/** P(T <= t) of the noncentral t distribution. */
export function noncentralTCdf(t: number, df: number, noncentrality: number): number {
  return noncentralTTails(t, df, noncentrality).lower;
}
