/** Amounts are whole cents, as numbers. Quantities, prices and percentages come in as decimal texts. */

const decimal = /^\d+(\.\d{1,4})?$/;

/**
 * @param {string} text such as `12.5`: no sign, at most four digits after the point
 * @param {string} what for the error
 * @returns {number}
 */
export function readDecimal(text, what) {
  if (typeof text !== "string" || !decimal.test(text))
    throw new RangeError(`${what}: ${JSON.stringify(text)} is no decimal`);
  return Number(text);
}

/**
 * The nearest whole number, a half away from zero. The nudge makes up for what binary fractions lose.
 *
 * @param {number} value
 */
export function roundHalfAway(value) {
  return Math.sign(value) * Math.round(Math.abs(value) + 1e-9) || 0;
}

/** @param {number} amount in units of the currency */
export function toCents(amount) {
  return roundHalfAway(amount * 100);
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
