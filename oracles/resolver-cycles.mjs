// Cycles among packages: random workspaces against reachability, long chains and cycles, declarations.
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

const pick = generator(64);
const oneOf = (list) => list[pick(list.length)];
const names = ["a", "B", "c", "@x/d", "e-1", "e", "ä", "z"];

/** Whom each package needs, among those of the workspace. */
function edges(packages, dev) {
  const known = packages.map((item) => item.name);
  return new Map(
    packages.map(({ name, dependencies = {}, devDependencies = {} }) => {
      const needed = [...Object.keys(dependencies), ...(dev ? Object.keys(devDependencies) : [])];
      return [name, [...new Set(needed)].filter((other) => known.includes(other)).sort()];
    }),
  );
}

/** What a package needs, directly or not; it itself only where it lies on a cycle. */
function needs(graph, name) {
  const found = new Set();
  const add = (from) => {
    for (const other of graph.get(from)) {
      if (found.has(other)) continue;
      found.add(other);
      add(other);
    }
  };
  add(name);
  return found;
}

function depthFirst(graph, roots) {
  const ordered = [];
  const visit = (name) => {
    if (ordered.includes(name)) return;
    graph.get(name).forEach(visit);
    ordered.push(name);
  };
  roots.forEach(visit);
  return ordered;
}

function workspaceOf(density) {
  const chosen = names.filter(() => pick(5) > 0).sort(() => pick(3) - 1);
  const versions = (list) => Object.fromEntries(list.map((name) => [name, "workspace:*"]));
  return chosen.map((name, index) => {
    const later = density === "acyclic" ? chosen.slice(index + 1) : chosen;
    const needed = (bound) => versions([...later, "left-pad"].filter(() => pick(bound) === 0));
    return { name, ...(pick(8) && { dependencies: needed(5) }), ...(pick(4) && { devDependencies: needed(8) }) };
  });
}

const examples = Array.from({ length: 220 }, (_, index) => {
  const packages = workspaceOf(index % 3 === 0 ? "acyclic" : "any");
  const known = packages.map((item) => item.name);
  const only = pick(2) && known.length > 0 ? Array.from({ length: pick(3) }, () => oneOf(known)) : undefined;
  const changed = known.length > 0 ? Array.from({ length: pick(3) }, () => oneOf(known)) : [];
  const options = { ...(only !== undefined && { only }), ...(pick(3) === 0 && { dev: pick(2) === 0 }) };
  return { packages, options, changed };
});
const three = { b: ["c"], c: ["a"], a: ["b"], entry: ["b"] };
examples.push({
  packages: Object.entries(three).map(([name, list]) => ({ name, dependencies: Object.fromEntries([[list[0], "*"]]) })),
  options: { only: ["entry"] },
  changed: ["a"],
});

const length = 20_000;

const observed = drive(
  `
  const { buildOrder, buildStages, affected, findCycles, CycleError } = await load("src/index.js");
  const outcome = (run) => {
    try { return { value: run() }; }
    catch (error) {
      return { error: error.name, known: error instanceof CycleError, cycle: error.cycle, message: String(error.message).slice(0, 400) };
    }
  };
  const results = input.examples.map(({ packages, options, changed }) => [
    outcome(() => buildOrder(packages, options)),
    outcome(() => buildStages(packages, options)),
    outcome(() => affected(packages, changed, { dev: options.dev })),
    outcome(() => findCycles(packages, { dev: options.dev })),
    outcome(() => findCycles(packages)),
  ]);

  const name = (index) => "p" + String(index).padStart(6, "0");
  const chain = Array.from({ length: input.length }, (_, index) => ({ name: name(index), dependencies: { [name(index + 1)]: "*" } }));
  const ring = [...chain.slice(0, -1), { name: name(input.length - 1), dependencies: { [name(0)]: "*" } }];
  const all = (packages) => ({
    order: outcome(() => buildOrder(packages)),
    ...(packages === chain && { stages: outcome(() => buildStages(packages)) }),
    affected: outcome(() => affected(packages, [name(input.length - 1)])),
    cycles: outcome(() => findCycles(packages)),
  });
  report({ results, chain: all(chain), ring: all(ring) });
  `,
  { examples, length },
);

function assertCycle(result, graph, roots, where) {
  assert.equal(result.error, "CycleError", where);
  assert.equal(result.known, true, where);
  const open = result.cycle.slice(0, -1);
  assert.ok(open.length > 0 && result.cycle.at(-1) === open[0], `${where}: closed`);
  assert.equal(new Set(open).size, open.length, `${where}: no package twice`);
  assert.equal([...open].sort()[0], open[0], `${where}: starts with the first name`);
  for (const [index, name] of open.entries()) {
    assert.ok(graph.get(name)?.includes(result.cycle[index + 1]), `${where}: ${name} needs the next one`);
  }
  assert.ok(
    open.every((name) => roots.some((root) => root === name || needs(graph, root).has(name))),
    where,
  );
  assert.equal(result.message, `dependency cycle: ${result.cycle.join(" -> ")}`, where);
}

function groups(graph) {
  const all = [...graph.keys()].sort();
  const cyclic = all.filter((name) => needs(graph, name).has(name));
  const together = (name) => all.filter((other) => needs(graph, name).has(other) && needs(graph, other).has(name));
  return cyclic.filter((name) => together(name)[0] === name).map(together);
}

let cyclic = 0;
for (const [index, { packages, options, changed }] of examples.entries()) {
  const [order, stages, users, cycles, allCycles] = observed.results[index];
  const graph = edges(packages, options.dev ?? true);
  const roots = options.only === undefined ? [...graph.keys()].sort() : [...options.only].sort();
  const built = roots.flatMap((root) => [root, ...needs(graph, root)]);
  const where = JSON.stringify({ packages, options, changed });
  if (built.some((name) => needs(graph, name).has(name))) {
    cyclic += 1;
    assertCycle(order, graph, roots, `buildOrder of ${where}`);
    assertCycle(stages, graph, roots, `buildStages of ${where}`);
  } else {
    same(order, { value: depthFirst(graph, roots) }, `buildOrder of ${where}`);
    const depth = (name) => Math.max(0, ...graph.get(name).map((other) => depth(other) + 1));
    const expected = [];
    for (const name of new Set(built)) (expected[depth(name)] ??= []).push(name);
    same(stages, { value: expected.map((stage) => stage.sort()) }, `buildStages of ${where}`);
  }
  const touched = [...graph.keys()].filter(
    (name) => changed.includes(name) || changed.some((other) => needs(graph, name).has(other)),
  );
  same(users, { value: touched.sort() }, `affected of ${where}`);
  same(cycles, { value: groups(graph) }, `findCycles of ${where}`);
  same(allCycles, { value: groups(edges(packages, true)) }, `findCycles with development of ${where}`);
}
assert.ok(cyclic > 40 && cyclic < 180, "enough of both kinds");
same(observed.results.at(-1)[0].cycle, ["a", "b", "c", "a"]);

const all = Array.from({ length }, (_, index) => `p${String(index).padStart(6, "0")}`);
const reversed = [...all].reverse();
same(observed.chain, {
  order: { value: reversed },
  stages: { value: reversed.map((name) => [name]) },
  affected: { value: all },
  cycles: { value: [] },
});
const { message, ...ring } = observed.ring.order;
same(ring, { error: "CycleError", known: true, cycle: [...all, all[0]] });
assert.ok(message.startsWith("dependency cycle: p000000 -> p000001 -> p000002 -> "));
same(observed.ring.affected, { value: all });
same(observed.ring.cycles, { value: [all] });

const declarations = readFileSync(join(workspace, "types/index.d.ts"), "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
const strings = "(readonly\\s+string\\s*\\[\\]|ReadonlyArray<\\s*string\\s*>)";
assert.match(
  declarations,
  new RegExp(`\\bclass\\s+CycleError\\s+extends\\s+Error\\b[^}]*\\breadonly\\s+cycle\\s*:\\s*${strings}`),
);
assert.match(
  declarations,
  /\bfunction\s+findCycles\s*\(\s*\w+\s*:\s*(readonly\s+|ReadonlyArray<)?Package\b[^]*?\)\s*:\s*[^;]*string/,
);

keepsTests({
  "test/build.test.js": [
    "puts dependencies first",
    "leaves out dependencies for development where asked to",
    "builds in stages",
    "finds what is affected",
    "refuses names that it does not know",
  ],
});
