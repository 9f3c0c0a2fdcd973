// Pages of orders: random stores, paged through while they change, against a plain reference; misuse, HTTP, declarations.
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

const pick = generator(1848);
const oneOf = (list) => list[pick(list.length)];

const statuses = ["open", "paid", "shipped", "cancelled"];
const instants = Array.from({ length: 5 }, (_, day) => new Date(Date.UTC(2024, 4, 1 + day, 8)).toISOString());
const letters = ["a", "B", "z", "0", "9", "|", ",", ":", '"', " ", "é", "😀", "-", "_", "%"];

function order() {
  const id = Array.from({ length: 2 + pick(4) }, () => oneOf(letters)).join("");
  const totalCents = pick(10_000);
  return { id, customerId: oneOf(["ada", "bob"]), status: oneOf(statuses), createdAt: oneOf(instants), totalCents };
}

const matches = (item, { status, customerId }) =>
  (status ?? item.status) === item.status && (customerId ?? item.customerId) === item.customerId;
const behind = (a, b) => (a.createdAt === b.createdAt ? a.id > b.id : a.createdAt < b.createdAt);
const inOrder = (items) => [...items].sort((a, b) => (behind(a, b) ? 1 : -1));

/** A store that is paged through to its end, with changes before each page, and the pages that must come out. */
function walk() {
  const rows = new Map(Array.from({ length: pick(45) }, order).map((item) => [item.id, item]));
  const start = [...rows.values()];
  const query = { ...(pick(2) && { status: oneOf(statuses) }), ...(pick(2) && { customerId: oneOf(["ada", "bob"]) }) };
  const limits = oneOf([[1], [2], [3], [5], [undefined], [1, 4, 2], [100]]);
  const steps = [];
  const pages = [];
  for (let last = null, more = true; more && steps.length < 60;) {
    const changes = [];
    while (steps.length > 0 && steps.length < 12 && pick(2) === 0) {
      const known = [...rows.values()];
      const what = pick(4);
      if (what === 0 || known.length === 0) changes.push({ save: order() });
      else if (what === 1) changes.push({ remove: oneOf(known).id });
      else if (what === 2 && rows.has(last.id)) changes.push({ remove: last.id });
      else changes.push({ save: { ...oneOf(known), status: oneOf(statuses), totalCents: pick(500) } });
      const { save, remove } = changes.at(-1);
      if (save !== undefined && rows.has(save.id)) save.createdAt = rows.get(save.id).createdAt;
      if (save !== undefined) rows.set(save.id, save);
      else rows.delete(remove);
    }
    const limit = limits[steps.length % limits.length];
    const left = inOrder([...rows.values()].filter((item) => matches(item, query) && (!last || behind(item, last))));
    const items = left.slice(0, limit ?? 20);
    more = left.length > items.length;
    last = items.at(-1) ?? last;
    steps.push({ changes, limit });
    pages.push({ items, more });
  }
  return { start, query, steps, pages };
}

const walks = Array.from({ length: 100 }, walk);

const full = Array.from({ length: 46 }, (_, index) => ({
  id: `n${String(index).padStart(2, "0")}`,
  customerId: index % 2 === 0 ? "ada" : "bob & co",
  status: index % 3 === 0 ? "paid" : "open",
  createdAt: instants[index % 2],
  totalCents: index,
}));

const observed = drive(
  `
  const { OrderRepository, OrderService, InvalidCursorError, InvalidQueryError, handleOrders } = await load("src/index.js");
  const { walks, full } = input;
  const through = (target, repository, { query, steps }) => {
    let after;
    return steps.map(({ changes, limit }) => {
      for (const { save, remove } of changes) save ? repository.save(save) : repository.remove(remove);
      const wanted = { ...query };
      if (limit !== undefined) wanted.limit = limit;
      if (after !== undefined) wanted.after = after;
      const { items, nextCursor } = target.page(wanted);
      after = nextCursor ?? undefined;
      return { items, nextCursor };
    });
  };
  const stores = (orders) => {
    const repository = new OrderRepository();
    for (const order of orders) repository.save(order);
    return { repository, service: new OrderService(repository) };
  };
  const results = walks.map((walk, index) => {
    const { repository, service } = stores(walk.start);
    return through(index % 2 === 0 ? repository : service, repository, walk);
  });

  const { repository, service } = stores(full);
  const outcome = (run) => {
    try { return { value: run() }; }
    catch (error) {
      return [error.name, error instanceof InvalidQueryError, error instanceof InvalidCursorError];
    }
  };
  const open = repository.page({ status: "open", limit: 5 }).nextCursor;
  const ada = repository.page({ customerId: "ada", limit: 5 }).nextCursor;
  const misuse = {
    limits: [0, -1, 101, 1.5, NaN, Infinity, "5", null].map((limit) => outcome(() => service.page({ limit }))),
    cursors: [
      { after: "" }, { after: "!" }, { after: "AAAA" }, { after: "bm90IGEgY3Vyc29y" }, { after: "e30" }, { after: "bnVsbA" },
      { after: open }, { after: open, status: "paid" }, { after: open, status: "open", customerId: "ada" }, { after: ada },
      { after: ada, customerId: "bob & co" }, { after: ada, status: "open" },
    ].map((query) => outcome(() => repository.page(query))),
    other: outcome(() => repository.page({ status: "open", limit: 3, after: open }).items.map((order) => order.id)),
    defaults: [service.page().items.length, service.page({}).items.length, repository.page().items.length],
  };

  const answers = [];
  for (let url = "/orders?customer=bob+%26+co&limit=9"; url !== null && answers.length < 10; ) {
    const { status, body } = handleOrders(service, url);
    answers.push({ url, status, body });
    url = body.next ?? null;
  }
  const urls = ["/orders", "/orders?status=paid", "/orders?limit=0", "/orders?limit=x", "/orders?limit=", "/orders?limit=1e1", "/orders?after=x",
    "/orders?status=paid&after=" + open, "/orders?after=" + open + "&status=open", "/orders?state=x", "/orders?limit=100"];
  report({ results, misuse, answers, plain: urls.map((url) => handleOrders(service, url)), urls });
  `,
  { walks, full },
);

for (const [index, { pages, query, start }] of walks.entries()) {
  for (const [at, { items, more }] of pages.entries()) {
    const page = observed.results[index][at];
    const where = `page ${at} of ${JSON.stringify(query)} of ${start.length} orders`;
    same(page.items, items, where);
    if (more) assert.match(page.nextCursor, /^[A-Za-z0-9_-]+$/, where);
    else assert.equal(page.nextCursor, null, where);
  }
}

const { misuse, answers, plain } = observed;
for (const result of misuse.limits) same(result, ["InvalidQueryError", true, false]);
for (const result of misuse.cursors) same(result, ["InvalidCursorError", true, true]);
const found = (query) => inOrder(full.filter((item) => matches(item, query)));
const ids = (items) => items.map((item) => item.id);
same(misuse.other, { value: ids(found({ status: "open" }).slice(5, 8)) });
same(misuse.defaults, [20, 20, 20]);

const sum = (items) => ({ count: items.length, totalCents: items.reduce((total, item) => total + item.totalCents, 0) });
const bobs = found({ customerId: "bob & co" });
assert.equal(answers.length, 3);
for (const [index, { url, status, body }] of answers.entries()) {
  assert.equal(status, 200, url);
  same(Object.keys(body).sort(), ["next", "orders", "summary"], url);
  same(ids(body.orders), ids(bobs.slice(9 * index, 9 * index + 9)), url);
  same(body.summary, sum(bobs), url);
  if (index === 2) assert.equal(body.next, null);
  else {
    const { pathname, searchParams } = new URL(body.next, "http://localhost");
    assert.ok(body.next.startsWith("/"), body.next);
    assert.equal(pathname, "/orders");
    same([...searchParams.keys()].sort(), ["after", "customer", "limit"]);
    same([searchParams.get("customer"), searchParams.get("limit")], ["bob & co", "9"]);
  }
}
same(plain[0], { status: 200, body: { orders: found({}), summary: sum(full) } });
const paid = found({ status: "paid" });
same(plain[1], { status: 200, body: { orders: paid, summary: sum(paid) } });
for (const index of [2, 3, 4, 5, 6, 7, 9]) {
  assert.equal(plain[index].status, 400, observed.urls[index]);
  same(Object.keys(plain[index].body), ["error"], observed.urls[index]);
}
same(ids(plain[8].body.orders), ids(found({ status: "open" }).slice(5, 25)));
same(plain[10].body, { orders: found({}), summary: sum(full), next: null });

/** The text between the braces of an interface or class, without comments. */
function declaration(name, heritage = "") {
  const text = readFileSync(join(workspace, "types/index.d.ts"), "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
  const match = new RegExp(`\\b(?:interface|class)\\s+${name}\\b${heritage}[^{]*\\{`).exec(text);
  assert.ok(match !== null, `types/index.d.ts declares ${name}`);
  const start = match.index + match[0].length;
  let end = start;
  for (let depth = 1; depth > 0 && end < text.length; end += 1) depth += { "{": 1, "}": -1 }[text[end]] ?? 0;
  return text.slice(start, end - 1);
}
const pageQuery = declaration("OrderPageQuery", "\\s+extends\\s+OrderQuery");
assert.match(pageQuery, /\blimit\?\s*:\s*number\b/);
assert.match(pageQuery, /\bafter\?\s*:\s*string\b/);
const page = declaration("OrderPage");
assert.match(page, /\bitems\s*:\s*(readonly\s+Order\s*\[\]|Order\s*\[\]|(Readonly)?Array<\s*Order\s*>)/);
assert.match(page, /\bnextCursor\s*:\s*(string\s*\|\s*null|null\s*\|\s*string)\b/);
for (const name of ["OrderRepository", "OrderService"]) {
  assert.match(
    declaration(name),
    /\bpage\s*(:\s*)?\(\s*\w+\?\s*:\s*OrderPageQuery\s*,?\s*\)\s*(:|=>)\s*OrderPage\b/,
    name,
  );
}
declaration("InvalidCursorError", "\\s+extends\\s+InvalidQueryError");

keepsTests({
  "test/orders.test.js": [
    "finds the latest orders first",
    "replaces and removes orders",
    "sums up without cancelled orders",
    "answers over HTTP",
    "refuses parameters that it does not know",
  ],
});
