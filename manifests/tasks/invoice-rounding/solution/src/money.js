/**
 * Amounts are whole cents, as numbers. Quantities, prices and percentages come in as decimal texts and are calculated with
 * as whole numbers of ten-thousandths.
 */

const decimal = /^\d+(\.\d{1,4})?$/;

/** What the number 1 is in ten-thousandths. */
export const ONE = 10_000n;

/**
 * @param {string} text such as `12.5`: no sign, at most four digits after the point
 * @param {string} what for the error
 * @returns {bigint} in ten-thousandths
 */
export function readDecimal(text, what) {
  if (typeof text !== "string" || !decimal.test(text))
    throw new RangeError(`${what}: ${JSON.stringify(text)} is no decimal`);
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(4, "0"));
}

/**
 * The nearest whole number to a fraction, a half away from zero.
 *
 * @param {bigint} numerator
 * @param {bigint} denominator above zero
 * @returns {number}
 */
export function roundFraction(numerator, denominator) {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return Number(numerator < 0n ? -rounded : rounded);
}

/**
 * @param {number} cents
 * @param {bigint} percent in ten-thousandths
 * @returns {number} in cents
 */
export function percentOf(cents, percent) {
  return roundFraction(BigInt(cents) * percent, 100n * ONE);
}

/** @param {number} cents */
export function formatCents(cents) {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** @param {number[]} amounts */
export function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0);
}
