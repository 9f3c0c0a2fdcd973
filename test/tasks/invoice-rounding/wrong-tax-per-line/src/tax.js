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
  const groups = new Map();
  for (const { taxRate, net } of lines) {
    const rate = readDecimal(taxRate, "tax rate");
    const group = groups.get(rate) ?? { rate: taxRate, items: [] };
    group.items.push({ net, tax: percentOf(net, rate) });
    groups.set(rate, group);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { rate, items }]) => ({
      rate,
      net: sum(items.map((item) => item.net)),
      tax: sum(items.map((item) => item.tax)),
    }));
}
