import { discountShares } from "./discount.js";
import { ONE, percentOf, readDecimal, roundFraction, sum } from "./money.js";
import { taxGroups } from "./tax.js";

/**
 * @typedef {object} LineInput
 * @property {string} text
 * @property {string} quantity
 * @property {string} unitPrice
 * @property {string} taxRate percent
 *
 * @typedef {object} Line in cents
 * @property {string} text
 * @property {string} quantity
 * @property {string} unitPrice
 * @property {string} taxRate
 * @property {number} amount before the discount
 * @property {number} discount the line's share
 * @property {number} net
 *
 * @typedef {object} Invoice in cents
 * @property {string} number
 * @property {string} discountPercent
 * @property {Line[]} lines
 * @property {number} subtotal
 * @property {number} discount
 * @property {number} net
 * @property {import("./tax.js").TaxGroup[]} taxes
 * @property {number} tax
 * @property {number} total
 */

/**
 * @param {{ number: string, lines: LineInput[], discountPercent?: string }} input
 * @returns {Invoice}
 */
export function createInvoice(input) {
  return calculate(input, 1);
}

/**
 * @param {{ number: string, lines: LineInput[], discountPercent?: string }} input
 * @param {1 | -1} sign -1 for a credit note
 * @returns {Invoice}
 */
export function calculate({ number, lines: inputs, discountPercent = "0" }, sign) {
  if (inputs.length === 0) throw new RangeError("there is no line");
  const amounts = inputs.map(({ quantity, unitPrice }) => {
    const exact = readDecimal(quantity, "quantity") * readDecimal(unitPrice, "unit price");
    return roundFraction(BigInt(sign) * 100n * exact, ONE * ONE);
  });
  const subtotal = sum(amounts);
  const discount = percentOf(subtotal, readDecimal(discountPercent, "discount"));
  const shares = discountShares(amounts, discount);
  const lines = inputs.map(({ text, quantity, unitPrice, taxRate }, index) => ({
    text,
    quantity,
    unitPrice,
    taxRate,
    amount: amounts[index],
    discount: shares[index],
    net: amounts[index] - shares[index],
  }));
  const taxes = taxGroups(lines);
  const net = subtotal - discount;
  const tax = sum(taxes.map((group) => group.tax));
  return { number, discountPercent, lines, subtotal, discount, net, taxes, tax, total: net + tax };
}
