// Exact invoices: random lines, discounts and tax rates against whole-number arithmetic of any size; credit notes; printing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const workspace = process.argv[1];
const limits = { env: { TZ: "UTC" }, encoding: "utf8", timeout: 12_000, killSignal: "SIGKILL", maxBuffer: 1 << 25 };

/** Runs `body` in a process of its own, so that the workspace's code never shares one with these asserts. */
function drive(body, input) {
  const marker = randomUUID();
  const head = `
    const input = ${JSON.stringify(input)};
    const load = (path) => import(new URL(path, ${JSON.stringify(pathToFileURL(`${workspace}/`).href)}));
    const report = (value) =>
      process.stdout.write("\\n${marker}" + JSON.stringify(value) + "\\n", () => process.exit(0));
  `;
  const child = spawnSync(process.execPath, ["--input-type=module", "-"], { ...limits, input: head + body });
  const line = child.stdout.split("\n").find((text) => text.startsWith(marker));
  assert.ok(line !== undefined, "the workspace's code runs to its end");
  return JSON.parse(line.slice(marker.length));
}

/** The tests that came with the fixture are still there, and pass. */
function keepsTests(titles) {
  for (const [file, names] of Object.entries(titles)) {
    const text = readFileSync(join(workspace, file), "utf8");
    for (const name of names) assert.ok(text.includes(name), `${file} keeps the test "${name}"`);
  }
  const child = spawnSync(process.execPath, ["--test", ...Object.keys(titles)], { ...limits, cwd: workspace });
  assert.equal(child.status, 0, "the existing tests pass");
}

/** Equal as JSON, whatever the order of keys. (assert.deepEqual draws the difference, which takes minutes for long values.) */
function same(actual, expected, where = "values") {
  const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  const keysInOrder = (_key, value) =>
    Object.prototype.toString.call(value) === "[object Object]" ? sorted(value) : value;
  const [found, wanted] = [actual, expected].map((value) => String(JSON.stringify(value, keysInOrder)));
  assert.ok(found === wanted, `${where}: ${found.slice(0, 300)} instead of ${wanted.slice(0, 300)}`);
}

/** Whole numbers from 0 to below `bound`, the same ones in every run. */
function generator(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const pick = generator(1202);
const oneOf = (list) => list[pick(list.length)];

/** A decimal text below `limit` with at most `digits` digits after the point. */
function decimal(limit, digits) {
  const places = pick(digits + 1);
  if (places === 0) return String(pick(limit));
  return `${pick(limit)}.${String(pick(10 ** places)).padStart(places, "0")}`;
}

/** In ten-thousandths. */
function exact(text) {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, "0"));
}

/** Of a fraction that is not below zero. */
const rounded = (numerator, denominator) => Number((numerator * 2n + denominator) / (denominator * 2n));
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** The rules of the issue; `sign` is -1 for credit notes, whose figures are those of an invoice with the opposite sign. */
function reference({ number, lines: inputs, discountPercent }, sign) {
  const amounts = inputs.map((line) => rounded(exact(line.quantity) * exact(line.unitPrice) * 100n, 10_000n * 10_000n));
  const subtotal = total(amounts);
  const discount = rounded(BigInt(subtotal) * exact(discountPercent), 1_000_000n);
  const parts = amounts.map((amount, index) => {
    const product = BigInt(discount) * BigInt(amount);
    const divisor = BigInt(subtotal || 1);
    return { index, share: Number(product / divisor), cut: product % divisor };
  });
  const left = subtotal === 0 ? 0 : discount - total(parts.map((part) => part.share));
  const byNeed = [...parts].sort((a, b) => Number(b.cut > a.cut) - Number(b.cut < a.cut) || a.index - b.index);
  for (const part of byNeed.slice(0, left)) part.share += 1;

  const signed = (cents) => (cents === 0 ? 0 : sign * cents);
  const nets = amounts.map((amount, index) => amount - parts[index].share);
  const groups = new Map();
  for (const [index, { taxRate }] of inputs.entries()) {
    const group = groups.get(exact(taxRate)) ?? { rate: taxRate, net: 0 };
    group.net += nets[index];
    groups.set(exact(taxRate), group);
  }
  const taxes = [...groups]
    .sort(([a], [b]) => Number(a - b))
    .map(([rate, group]) => ({ ...group, tax: rounded(BigInt(group.net) * rate, 1_000_000n) }));
  const net = subtotal - discount;
  const tax = total(taxes.map((group) => group.tax));
  return {
    number,
    discountPercent,
    lines: inputs.map((line, index) => ({
      ...line,
      amount: signed(amounts[index]),
      discount: signed(parts[index].share),
      net: signed(nets[index]),
    })),
    subtotal: signed(subtotal),
    discount: signed(discount),
    net: signed(net),
    taxes: taxes.map((group) => ({ rate: group.rate, net: signed(group.net), tax: signed(group.tax) })),
    tax: signed(tax),
    total: signed(net + tax),
  };
}

const line = (quantity, unitPrice, taxRate = "20") => ({ text: "thing", quantity, unitPrice, taxRate });
const halves = () => [
  line("1", `${pick(90)}.${String(pick(100)).padStart(2, "0")}5`),
  line("0.5", `${pick(30)}.0${pick(5)}`),
];
const rates = ["0", "5", "7", "7.0", "07", "19", "20", "20.00", "5.5", "8.875", "2.1"];

const invoices = Array.from({ length: 300 }, (_, index) => {
  const kind = index % 5;
  const lines = Array.from({ length: 1 + pick(8) }, () => {
    const rate = kind === 1 ? oneOf(["7", "7.0"]) : oneOf(rates);
    if (kind === 0) return line(String(1 + pick(4)), `0.${String(pick(100)).padStart(2, "0")}`, rate);
    if (kind === 1) return line("1", `0.0${pick(10)}`, rate);
    if (kind === 2) return line(decimal(100_000, 4), decimal(90_000, 4), rate);
    return line(decimal(20, 3), decimal(300, 4), rate);
  });
  if (kind === 3) lines.push(...halves());
  const discountPercent = oneOf(["0", "10", "12.5", "33.3333", "50", "100", "0.01", decimal(100, 4)]);
  return { number: `N${index}`, lines, discountPercent };
});
const single = (item, discountPercent = "0") => ({ number: "S", lines: [item].flat(), discountPercent });
invoices.push(
  single(line("1", "1.005")),
  single(line("3", "0.145")),
  single([line("1", "0.05"), line("1", "0.05"), line("1", "0.05")], "10"),
  single(line("0", "5.00"), "10"),
  single([line("1", "0.01"), line("1", "0.01"), line("1", "0.01"), line("1", "0.01")], "50"),
  single(line("1", "0.0049", "7")),
);
const chosen = invoices.map(({ lines }) =>
  Object.fromEntries(lines.flatMap((_, at) => (pick(2) ? [[at, decimal(9, 3)]] : [])).concat([[0, "0.5"]])),
);
const amounts = [0, 1, -1, 5, -5, 99, -99, 100, -100, 12345, -12345, -905, 9_000_000_000_005, -9_000_000_000_005];

const observed = drive(
  `
  const { createInvoice } = await load("src/invoice.js");
  const { createCreditNote } = await load("src/credit-note.js");
  const { formatCents } = await load("src/money.js");
  const { render } = await load("src/render.js");
  const told = (item) => JSON.parse(JSON.stringify(item, (_key, value) => (Object.is(value, -0) ? "minus zero" : value)));
  const results = input.invoices.map((invoice, index) => {
    const made = createInvoice(invoice);
    return [made, createCreditNote(made), createCreditNote(made, input.chosen[index])].map(told);
  });
  const lines = [{ text: "pen", quantity: "1", unitPrice: "0.05", taxRate: "0" }];
  report({
    results,
    formatted: input.amounts.map(formatCents),
    rendered: render(createCreditNote(createInvoice({ number: "R", lines, discountPercent: "0" }))),
  });
  `,
  { invoices, chosen, amounts },
);

for (const [index, invoice] of invoices.entries()) {
  const where = JSON.stringify(invoice);
  const number = `${invoice.number}-C`;
  const lines = invoice.lines.flatMap((item, at) =>
    at in chosen[index] ? [{ ...item, quantity: chosen[index][at] }] : [],
  );
  const [made, all, part] = observed.results[index];
  same(made, reference(invoice, 1), `invoice of ${where}`);
  same(all, reference({ ...invoice, number }, -1), `credit note of ${where}`);
  same(part, reference({ ...invoice, number, lines }, -1), `credit note of a part of ${where}`);
}
same(
  observed.formatted,
  amounts.map((cents) => {
    const digits = String(Math.abs(cents)).padStart(3, "0");
    return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  }),
);
const printed = observed.rendered.split("\n").map((row) => row.replace(/ +/g, " "));
same(printed, ["1 x pen at 0.05 -0.05", "subtotal -0.05", "tax 0% of -0.05 0.00", "total -0.05"]);

keepsTests({
  "test/invoice.test.js": [
    "adds up lines, discount and taxes",
    "needs no discount",
    "gives back a part of an invoice",
    "renders an invoice",
    "refuses what is no decimal",
  ],
});
