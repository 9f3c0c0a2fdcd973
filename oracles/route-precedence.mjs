// Precedence of routes: random route tables and paths against a plain reference, and the application on top.
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

const pick = generator(90210);
const oneOf = (list) => list[pick(list.length)];

const literals = ["a", "b", "12", "x y"];
const constraints = ["\\d+", "[a-c]", "a|12"];
const kinds = ["literal", "constrained", "parameter", "wildcard"];

function pattern(length, wildcardAllowed) {
  const segments = [];
  for (let index = 0; index < length; index += 1) {
    const kind = oneOf(["literal", "literal", "parameter", "parameter", "constrained", "wildcard"]);
    if (kind === "wildcard" && index === length - 1 && wildcardAllowed) segments.push({ kind, text: `w${index}` });
    else if (kind === "parameter") segments.push({ kind, text: `p${index}` });
    else if (kind === "constrained") segments.push({ kind, text: `c${index}`, constraint: oneOf(constraints) });
    else segments.push({ kind: "literal", text: oneOf(literals) });
  }
  return segments;
}

const write = (segments) =>
  segments
    .map(({ kind, text, constraint }) => {
      if (kind === "literal") return `/${text}`;
      if (kind === "wildcard") return `/*${text}`;
      return kind === "parameter" ? `/:${text}` : `/:${text}(${constraint})`;
    })
    .join("") || "/";

/** The parameters of a path under a pattern, or null. */
function parameters(segments, parts) {
  const found = {};
  for (const [index, { kind, text, constraint }] of segments.entries()) {
    if (index >= parts.length) return null;
    if (kind === "wildcard") return { ...found, [text]: parts.slice(index).join("/") };
    if (kind === "literal" && parts[index] !== text) return null;
    if (kind === "constrained" && !new RegExp(`^(?:${constraint})$`).test(parts[index])) return null;
    if (kind !== "literal") found[text] = parts[index];
  }
  return parts.length === segments.length ? found : null;
}

/** Rules 1 to 5 of the issue. */
function reference(routes, method, parts) {
  const matches = routes
    .map((route) => ({ ...route, params: parameters(route.segments, parts) }))
    .filter((route) => route.params !== null);
  const better = (a, b) => {
    for (let index = 0; index < a.segments.length && index < b.segments.length; index += 1) {
      const [rankA, rankB] = [a, b].map((route) => kinds.indexOf(route.segments[index].kind));
      if (rankA !== rankB) return rankA < rankB ? a : b;
    }
    return a.id < b.id ? a : b;
  };
  for (const wanted of method === "HEAD" ? ["HEAD", "GET"] : [method]) {
    const fit = matches.filter((route) => route.method === wanted);
    if (fit.length > 0) {
      const best = fit.reduce(better);
      return { kind: "found", pattern: write(best.segments), params: best.params, id: best.id };
    }
  }
  if (matches.length === 0) return { kind: "not-found" };
  const methods = matches.flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
  return { kind: "method-not-allowed", allow: [...new Set(methods)].sort() };
}

/** A table in the order of registration: single routes, and groups that are mounted below a prefix. */
function table() {
  const steps = Array.from({ length: 2 + pick(5) }, () => {
    const prefix = pick(3) === 0 ? pattern(1 + pick(2), false) : null;
    const routes = Array.from({ length: prefix === null ? 1 + pick(3) : 1 + pick(4) }, () => ({
      method: oneOf(["GET", "GET", "GET", "POST", "DELETE", "HEAD"]),
      segments: pattern(1 + pick(3), true).map((segment) =>
        prefix === null || segment.kind === "literal" ? segment : { ...segment, text: `m${segment.text}` },
      ),
    }));
    return { prefix, routes };
  });
  const flat = steps.flatMap(({ prefix, routes }) =>
    routes.map(({ method, segments }) => ({ method, segments: [...(prefix ?? []), ...segments] })),
  );
  return {
    steps: steps.map(({ prefix, routes }) => ({
      prefix: prefix === null ? null : write(prefix),
      routes: routes.map(({ method, segments }) => [method, write(segments)]),
    })),
    routes: flat.map((route, id) => ({ ...route, id })),
  };
}

const tables = Array.from({ length: 160 }, table).map(({ steps, routes }) => ({
  steps,
  routes,
  requests: Array.from({ length: 25 }, () => ({
    method: oneOf(["GET", "GET", "GET", "HEAD", "POST", "DELETE", "PUT"]),
    parts: Array.from({ length: 1 + pick(4) }, () => oneOf([...literals, "7", "c", "a+b"])),
  })),
}));

const observed = drive(
  `
  const { Router } = await load("src/router.js");
  const { createApp } = await load("src/app.js");
  const results = input.map(({ steps, requests }) => {
    let next = 0;
    const ids = new Map();
    const add = (router, [method, pattern]) => {
      const handler = () => {};
      ids.set(handler, next);
      next += 1;
      router.add(method, pattern, handler);
    };
    const router = new Router();
    for (const { prefix, routes } of steps) {
      const target = prefix === null ? router : new Router();
      for (const route of routes) add(target, route);
      if (prefix !== null) router.mount(prefix, target);
    }
    return requests.map(({ method, path }) => {
      const { kind, pattern, params, allow, handler } = router.resolve(method, path);
      if (kind === "found") return { kind, pattern, params, id: ids.get(handler) };
      return kind === "method-not-allowed" ? { kind, allow } : { kind };
    });
  });

  const orders = new Map(["1", "2", "3"].map((id) => [id, { id, status: id === "2" ? "paid" : "open" }]));
  const app = createApp({ orders, files: new Map([["index/old", "o"], ["a b", "c"]]) });
  const answers = [
    "GET /orders/1", "HEAD /orders/1", "DELETE /orders/1", "GET /orders/1", "DELETE /orders/1", "PUT /orders/2", "GET /orders/x",
    "POST /files/index", "GET /files/index", "GET /files/index/old", "GET /files/a%20b", "GET /orders?status=open", "POST /health",
  ].map((request) => {
    const [method, url] = request.split(" ");
    return app({ method, url });
  });
  report({ results, answers });
  `,
  tables.map(({ steps, requests }) => ({
    steps,
    requests: requests.map(({ method, parts }) => ({ method, path: `/${parts.map(encodeURIComponent).join("/")}` })),
  })),
);

for (const [index, { steps, routes, requests }] of tables.entries()) {
  for (const [at, { method, parts }] of requests.entries()) {
    const where = `${method} /${parts.join("/")} of ${JSON.stringify(steps)}`;
    same(observed.results[index][at], reference(routes, method, parts), where);
  }
}

const notAllowed = (allow) => ({ status: 405, headers: { allow } });
same(observed.answers, [
  { status: 200, body: { id: "1", status: "open" } },
  { status: 200, body: { id: "1", status: "open" } },
  { status: 204 },
  { status: 404 },
  { status: 404 },
  notAllowed("DELETE, GET, HEAD"),
  { status: 404 },
  notAllowed("GET, HEAD"),
  { status: 200, body: ["a b", "index/old"] },
  { status: 200, body: "o" },
  { status: 200, body: "c" },
  { status: 200, body: [{ id: "3", status: "open" }] },
  notAllowed("GET, HEAD"),
]);

keepsTests({
  "test/router.test.js": [
    "prefers a literal to a parameter, and a parameter to a wildcard",
    "a constraint decides whether a parameter matches",
    "decodes parameters and leaves out empty segments",
    "answers HEAD with the route for GET",
    "tells a wrong method from a wrong path",
    "mounts a router below a prefix",
    "refuses patterns that make no sense",
  ],
  "test/app.test.js": ["lists orders", "gets an order and a file", "knows no other paths"],
});
