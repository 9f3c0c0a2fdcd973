// Secrets among typed settings: random schemas and sources against a plain reference; definition, disk, declarations.
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
    const base = ${JSON.stringify(pathToFileURL(`${workspace}/`).href)};
    const load = (path) => import(new URL(path, base));
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

const pick = generator(555);
const oneOf = (list) => list[pick(list.length)];

const places = [
  [["port"], "PORT"],
  [["apiKey"], "API_KEY"],
  [["database", "password"], "DATABASE_PASSWORD"],
  [["database", "poolSize"], "DATABASE_POOL_SIZE"],
  [["database", "pin"], "DATABASE_PIN"],
  [["mail", "smtp", "token"], "MAIL_SMTP_TOKEN"],
];
const types = ["string", "integer", "boolean", "duration", "choice"];
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A text that a variable or a file may hold for the type; with `faulty` not always a valid one. */
function text(type, faulty) {
  if (faulty && pick(4) === 0) return oneOf(["hush hush", "12x", "-", "true ", "1d", '"q"']);
  switch (type) {
    case "string":
      return oneOf([" padded ", "s3cr3t", "line\nline", "ends in a tab\t", "pass word"]);
    case "integer":
      return String(faulty ? pick(140) - 20 : pick(100));
    case "boolean":
      return oneOf(["true", "false", "1", "0"]);
    case "duration":
      return `${pick(90)}${oneOf(Object.keys(units))}`;
    case "choice":
      return oneOf(["red", "blue", faulty ? "green" : "red"]);
  }
}

/** [value] or [undefined, problem] for what a source holds. `shown` stands for the value in problems. */
function value({ type, options, secret }, raw) {
  const shown = secret ? "[secret]" : JSON.stringify(raw);
  switch (type) {
    case "string":
      return typeof raw === "string" ? [raw] : [undefined, `${shown} is no text`];
    case "integer": {
      const number = typeof raw === "string" && /^-?\d+$/.test(raw) ? Number(raw) : raw;
      if (!Number.isSafeInteger(number)) return [undefined, `${shown} is no whole number`];
      if (number < (options.min ?? -1e9)) return [undefined, `${secret ? shown : number} is less than ${options.min}`];
      if (number > (options.max ?? 1e9)) return [undefined, `${secret ? shown : number} is more than ${options.max}`];
      return [number];
    }
    case "boolean":
      if ([true, "true", "1"].includes(raw)) return [true];
      return [false, "false", "0"].includes(raw) ? [false] : [undefined, `${shown} is neither true nor false`];
    case "duration": {
      if (typeof raw === "number" && raw >= 0) return [raw];
      const [, amount, unit] = /^(\d+)(ms|s|m|h)$/.exec(raw) ?? [];
      return unit ? [Number(amount) * units[unit]] : [undefined, `${shown} is no duration such as 250ms or 30s`];
    }
    case "choice":
      return ["red", "blue"].includes(raw) ? [raw] : [undefined, `${shown} is none of red, blue`];
  }
}

function put(target, [name, ...rest], item) {
  if (rest.length === 0) target[name] = item;
  else put((target[name] ??= {}), rest, item);
}

/** A schema, its sources, and what must come of them. */
function example() {
  const faulty = pick(2) === 0;
  const prefix = oneOf([undefined, "APP", "MY_APP"]);
  const fields = places
    .filter(() => pick(4) > 0)
    .map(([path, words]) => {
      const type = oneOf(types);
      const secret = pick(5) < 3;
      const options = {
        ...(secret ? { secret } : pick(3) === 0 && { secret }),
        ...(type === "integer" && pick(2) && { min: 0, max: 99 }),
        ...((!faulty || pick(3) === 0) && { optional: true }),
        ...(pick(4) === 0 && { env: `OWN_${words}` }),
        ...(pick(3) === 0 && { description: `about ${path.at(-1)}` }),
      };
      if (!secret && type === "integer" && pick(2)) options.default = 7;
      return { path, type, secret, options, name: options.env ?? [prefix, words].filter(Boolean).join("_") };
    });

  const env = {};
  const disk = {};
  const file = {};
  const problems = [];
  const values = [];
  for (const field of fields) {
    const { path, type, secret, options, name } = field;
    const key = path.join(".");
    const sources = [];
    if (pick(3) === 0) sources.push((env[name] = text(type, faulty)));
    else if (pick(4) === 0) env[name] = "";
    const named = pick(5) < 2 && (faulty || sources.length === 0 || !secret);
    if (named) {
      const content = text(type, faulty);
      const lost = faulty && pick(8) === 0;
      env[`${name}_FILE`] = `/run/${key}`;
      if (!lost) disk[`/run/${key}`] = content + oneOf(["", "\n", "\r\n"]);
      if (secret && sources.length > 0) {
        problems.push(`${key}: ${name} and ${name}_FILE are both set`);
        continue;
      }
      if (secret && lost) {
        problems.push(`${key}: the file of ${name}_FILE cannot be read`);
        continue;
      }
      if (secret) sources.push(content);
    } else if (pick(4) === 0) env[`${name}_FILE`] = "";
    if (pick(2) === 0) {
      const raw = !faulty || pick(2) ? text(type, faulty) : oneOf([5, 500, true, 2.5, { hidden: "hush" }]);
      sources.push(raw);
      put(file, path, raw);
    }
    const [found, problem] = sources.length > 0 ? value(field, sources[0]) : [options.default];
    if (problem !== undefined) problems.push(`${key}: ${problem}`);
    else if (found === undefined && !options.optional) problems.push(`${key}: is not set`);
    values.push(found ?? null);
  }

  const open = {};
  for (const [index, { path, secret }] of fields.entries()) {
    const item = secret ? undefined : (values[index] ?? undefined);
    put(open, path, item);
  }
  const described = fields.map(({ path, type, secret, options, name }) =>
    [
      `${path.join(".")}: ${secret ? `${name} or ${name}_FILE` : name}`,
      type === "choice" ? "red | blue" : type,
      ...(secret ? ["secret"] : []),
      ...(options.default !== undefined ? ["default 7"] : options.optional ? ["optional"] : []),
      ...(options.description === undefined ? [] : [options.description]),
    ].join("; "),
  );
  const dumped = fields.map(({ path, secret }, index) => {
    const shown = values[index] === null ? "(not set)" : secret ? "[secret]" : JSON.stringify(values[index]);
    return `${path.join(".")} = ${shown}`;
  });
  const result = problems.length > 0 ? { problems } : { values, open: JSON.stringify(open), dumped: dumped.join("\n") };
  return { input: { prefix, fields, env, disk, file }, expected: { described: described.join("\n"), ...result } };
}

const examples = Array.from({ length: 260 }, example);
assert.ok(examples.filter(({ expected }) => expected.values !== undefined).length > 60, "enough valid examples");

const observed = drive(
  `
  const { inspect } = await import("node:util");
  const { readFileSync } = await import("node:fs");
  const api = await load("src/index.js");
  const { defineConfig, loadConfig, describe, dump, ConfigError } = api;
  const make = ({ type, options }) => type === "choice" ? api.choice(["red", "blue"], options) : api[type](options);
  const put = (target, [name, ...rest], item) => {
    if (rest.length === 0) target[name] = item;
    else put((target[name] ??= {}), rest, item);
  };
  const at = (config, path) => path.reduce((item, name) => item[name], config);
  const frozen = (item) => typeof item !== "object" || item === null || (Object.isFrozen(item) && Object.values(item).every(frozen));
  const results = input.map(({ prefix, fields, env, disk, file }) => {
    const shape = {};
    for (const field of fields) put(shape, field.path, make(field));
    const schema = defineConfig(shape);
    const described = describe(schema, { prefix });
    const readFile = (path) => {
      if (!Object.hasOwn(disk, path)) throw new Error("ENOENT");
      return disk[path];
    };
    try {
      const config = loadConfig(schema, { prefix, env, file, readFile });
      const values = fields.map(({ path }) => at(config, path) ?? null);
      const leaks = fields.some(({ path, options }, index) => {
        const parent = at(config, path.slice(0, -1));
        const name = path.at(-1);
        if (!options.secret || values[index] === null) return false;
        return Object.keys(parent).includes(name) || inspect(parent).includes(name + ":");
      });
      return { described, values, open: JSON.stringify(config), dumped: dump(schema, config), leaks, frozen: frozen(config) };
    } catch (error) {
      return { described, problems: error instanceof ConfigError ? error.problems : String(error.stack) };
    }
  });

  const refusal = (run) => { try { run(); return null; } catch (error) { return error.constructor.name; } };
  const refusals = [
    () => api.string({ secret: "yes" }), () => api.integer({ secret: 1 }), () => api.boolean({ secret: null }),
    () => api.string({ secret: true, default: "x" }), () => api.duration({ secret: true, default: 0 }),
    () => api.choice(["a"], { secret: true, default: "a" }), () => api.boolean({ secret: true, default: false }),
    () => api.integer({ secret: false, default: 3 }), () => api.choice(["a"], { secret: true, optional: true }),
  ].map(refusal);
  const path = decodeURIComponent(new URL("package.json", base).pathname);
  const schema = defineConfig({ manifest: api.string({ secret: true }) });
  const fromDisk = loadConfig(schema, { env: { MANIFEST_FILE: path } }).manifest === readFileSync(path, "utf8").replace(/\\r?\\n$/, "");
  const missing = refusal(() => loadConfig(schema, { env: { MANIFEST_FILE: path + "/none" } }));
  report({ results, refusals, fromDisk, missing });
  `,
  examples.map((item) => item.input),
);

for (const [index, { input, expected }] of examples.entries()) {
  const where = `example ${index}: ${JSON.stringify(input)}`;
  const clean = expected.values === undefined ? {} : { leaks: false, frozen: true };
  same(observed.results[index], { ...expected, ...clean }, where);
}
same(observed.refusals, [...Array.from({ length: 7 }, () => "TypeError"), null, null]);
assert.equal(observed.fromDisk, true, "reads the file of a secret from disk");
assert.equal(observed.missing, "ConfigError");

/** The text between the braces of an interface, without comments. */
function declaration(name) {
  const text = readFileSync(join(workspace, "types/index.d.ts"), "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
  const match = new RegExp(`\\binterface\\s+${name}\\b[^{]*\\{`).exec(text);
  assert.ok(match !== null, `types/index.d.ts declares ${name}`);
  const start = match.index + match[0].length;
  let end = start;
  for (let depth = 1; depth > 0 && end < text.length; end += 1) depth += { "{": 1, "}": -1 }[text[end]] ?? 0;
  return text.slice(start, end - 1);
}
assert.match(declaration("FieldOptions"), /\bsecret\?\s*:\s*boolean\b/);
assert.match(declaration("LoadOptions"), /\breadFile\?\s*(:\s*)?\(\s*\w+\s*:\s*string\s*,?\s*\)\s*(:|=>)\s*string\b/);

keepsTests({
  "test/settings.test.js": [
    "takes the environment before the file, and the file before defaults",
    "the result is frozen",
    "reports all problems at once",
    "describes the settings",
    "dumps the values",
    "refuses a shape that makes no sense",
  ],
});
