import { percentOf, readDecimal, sum } from "./money.js";

/**
 * @typedef {{ rate: string, net: number, tax: number }} TaxGroup `net` and `tax` in cents
 */

/**
 * The taxes of an invoice, the lowest rate first.
 *
 * @param {{ taxRate: string, net: number }[]} lines
 * @returns {TaxGroup[]}
 */
export function taxGroups(lines) {
  /** @type {Map<bigint, { taxRate: string, net: number }[]>} */
  const groups = new Map();
  for (const line of lines) {
    const rate = readDecimal(line.taxRate, "tax rate");
    groups.set(rate, [...(groups.get(rate) ?? []), line]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([rate, items]) => {
      const net = sum(items.map((item) => item.net));
      return { rate: items[0].taxRate, net, tax: percentOf(net, rate) };
    });
}
