// A cache with a size limit and a time to live: random sequences of operations against a plain model, and the store on top.
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

/** What the issue asks for, as simply as can be: an array, the most recently used entry last. */
function model({ maxEntries, ttlMs }) {
  let entries = [];
  let now = 0;
  const drops = [];
  const expire = () => {
    for (const entry of entries.filter(({ until }) => until <= now)) drops.push([entry.key, entry.value, "expired"]);
    entries = entries.filter(({ until }) => until > now);
  };
  const find = (key) => entries.find((entry) => entry.key === key);
  const without = (key) => entries.filter((entry) => entry.key !== key);
  return ([name, key, value]) => {
    if (name === "wait") now += key;
    expire();
    switch (name) {
      case "wait":
        return null;
      case "get": {
        const entry = find(key);
        if (entry !== undefined) entries = [...without(key), entry];
        return entry?.value ?? null;
      }
      case "peek":
        return find(key)?.value ?? null;
      case "has":
        return find(key) !== undefined;
      case "set":
        if (find(key) === undefined && entries.length === maxEntries) {
          const [oldest] = entries;
          drops.push([oldest.key, oldest.value, "capacity"]);
          entries = entries.slice(1);
        }
        entries = [...without(key), { key, value, until: now + ttlMs }];
        return null;
      case "delete": {
        const found = find(key) !== undefined;
        entries = without(key);
        return found;
      }
      case "keys":
        return entries.map((entry) => entry.key).reverse();
      case "clear":
        entries = [];
        return null;
      case "size":
        return [entries.length, drops.map((drop) => drop.join(" ")).sort()];
    }
  };
}

const pick = generator(20240611);
const names = [
  "get",
  "get",
  "get",
  "set",
  "set",
  "set",
  "set",
  "has",
  "peek",
  "keys",
  "delete",
  "wait",
  "wait",
  "size",
];
const sequences = Array.from({ length: 60 }, (_, run) => {
  const options = { maxEntries: 1 + pick(5), ttlMs: 20 + pick(200) };
  const operations = Array.from({ length: 120 }, (_, step) => {
    const name = pick(80) === 0 ? "clear" : names[pick(names.length)];
    if (name === "wait") return [name, pick(3) === 0 ? options.ttlMs : 1 + pick(12)];
    return [name, `k${pick(options.maxEntries + 3)}`, run * 1000 + step];
  });
  return { options, operations: [...operations, ["size"]] };
});
sequences.push({
  options: { maxEntries: 3, ttlMs: 1000 },
  operations: [["set", "a", 1], ["set", "b", 2], ["set", "c", 3], ["get", "a"], ["set", "d", 4], ["keys"], ["size"]],
});

const observed = drive(
  `
  const { TtlCache } = await load("src/cache.js");
  const { SessionStore } = await load("src/session-store.js");
  const caches = input.map(({ options, operations }) => {
    let now = 0;
    const drops = [];
    const cache = new TtlCache({ ...options, now: () => now, onDrop: (...drop) => drops.push(drop.join(" ")) });
    return operations.map(([name, key, value]) => {
      if (name === "wait") { now += key; return null; }
      if (name === "size") return [cache.size, [...drops].sort()];
      if (name === "set") { cache.set(key, value); return null; }
      if (name === "clear") { cache.size; cache.clear(); return null; }
      if (name === "keys") return cache.keys();
      return cache[name](key) ?? null;
    });
  });

  let now = 0, next = 0;
  const store = new SessionStore({ maxSessions: 3, idleMs: 50, now: () => now, createId: () => "s" + (next += 1) });
  const [ada, bob, cy] = ["ada", "bob", "cy"].map((user) => store.open(user));
  const seen = [];
  for (let request = 0; request < 6; request += 1) { now += 20; seen.push(store.resume(ada)?.requests ?? null); }
  seen.push(store.resume(bob), store.stats());
  ["dee", "eve"].forEach((user) => store.open(user));
  seen.push(store.resume(ada)?.requests ?? null);
  store.open("flo");
  seen.push(store.activeUsers(), store.stats(), store.close(ada), store.close(ada), store.inspect(cy));
  report({ caches, seen });
  `,
  sequences,
);

for (const [index, { options, operations }] of sequences.entries()) {
  const expected = model(options);
  for (const [step, operation] of operations.entries()) {
    const clearing = operation[0] === "clear";
    if (clearing) expected(["size"]);
    const where = `sequence ${index}, step ${step}: ${operation.join(" ")}`;
    same(observed.caches[index][step], expected(operation), where);
  }
}

same(observed.seen, [
  ...[1, 2, 3, 4, 5, 6],
  null,
  { open: 1, opened: 3, closed: 0, expired: 2, displaced: 0 },
  7,
  ["flo", "ada", "eve"],
  { open: 3, opened: 6, closed: 0, expired: 2, displaced: 1 },
  true,
  false,
  null,
]);

keepsTests({
  "test/cache.test.js": [
    "keeps what was set until it expires",
    "lets the oldest entry go when it is full",
    "has and peek are no use of an entry",
    "delete and clear report no drop",
    "refuses limits that make no sense",
  ],
  "test/session-store.test.js": [
    "opens, resumes and closes a session",
    "an idle session expires",
    "names each active user once",
  ],
});
