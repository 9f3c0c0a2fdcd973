import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { runOracle } from "../../src/oracle/run.ts";
import { judge, load } from "./program.ts";

/** Oracles that the code under judgement does not satisfy, each finding out in another way. */
const oracles = {
  asserts: `import assert from "node:assert/strict";\n${load}assert.equal(code.answer, 42);`,
  "sets the exit code": `process.on("SIGUSR2", () => undefined);\n${load}process.cwd();\nif (code.answer !== 42) process.exitCode = 1;\nawait new Promise((resolve) => setTimeout(resolve, 40));`,
  "does not await": `${load}void (async () => { for (let turn = 0; turn < 600; turn++) await null; if (code.answer !== 42) throw new Error("wrong"); })();`,
  "finds out at the end": `${load}process.on("exit", () => { if (code.answer !== 42) process.exitCode = 1; });`,
  "uses node:test": `import test from "node:test";\n${load}test("answer", () => { if (code.answer !== 42) throw new Error("wrong"); });`,
} as const;

/** Oracles that only some tricks could touch. */
const lateOracles = {
  "requires assert late": `${load}require("assert").ok(code.answer === 42);`,
  "imports assert late": `${load}(await import("node:assert")).ok(code.answer === 42);\n(await import("assert")).default(code.answer === 42);`,
  "finds out in a timer": `${load}setTimeout(() => { if (code.answer !== 42) process.exit(1); }, 40);`,
} as const;

const everyOracle = [...Object.values(oracles), ...Object.values(lateOracles)];

/** Modules that try to pass without the right answer. */
const tricks = {
  "calls process.exit(0)": `process.exit(0);`,
  "calls process.reallyExit(0)": `process.reallyExit(0);`,
  "calls reallyExit of a binding": `try { process.binding("process_methods").reallyExit(0); } catch {}`,
  "schedules process.exit": `setTimeout(process.exit, 0, 0);`,
  "schedules an immediate exit": `setImmediate(() => process.exit(0));`,
  "exits in a microtask": `queueMicrotask(() => process.exit(0));`,
  "exits in the next tick": `process.nextTick(() => process.exit(0));`,
  "sets process.exitCode": `
const reset = () => { process.exitCode = 0; };
reset();
setInterval(reset, 5).unref();
process.on("exit", reset);
process.on("beforeExit", () => { for (let turn = 0, next = Promise.resolve(); turn < 1000; turn++) next = next.then(reset); });`,
  "catches what is not caught": `for (const name of ["uncaughtException", "unhandledRejection"]) process.on(name, () => {});`,
  "keeps ending what is uncaught": `process.on("uncaughtExceptionMonitor", () => process.exit(0));`,
  "takes the capture callback": `try { process.setUncaughtExceptionCaptureCallback(null); process.setUncaughtExceptionCaptureCallback(() => {}); } catch {}`,
  "replaces Node's handler of fatal errors": `try { process._fatalException = () => true; } catch {}\ntry { Object.defineProperty(process, "_fatalException", { value: () => true }); } catch {}`,
  "uses a domain": `try { (await import("node:domain")).default.create().enter(); } catch {}`,
  "replaces the functions of assert": `
import assert from "node:assert";
import strict from "node:assert/strict";
for (const object of [assert, strict, assert.strict, assert.default, strict.strict]) {
  for (const name of Object.keys(object ?? {})) { try { object[name] = () => {}; } catch {} }
}`,
  "replaces assert for all modules": `
import { createRequire, syncBuiltinESMExports } from "node:module";
const require = createRequire(import.meta.url);
try { const assert = require("assert"); assert.strictEqual = assert.equal = () => {}; } catch {}
try { require.cache["assert"] = { exports: () => {} }; } catch {}
const fake = Object.assign(() => {}, { ok() {} });
try { require("module")._load = () => fake; } catch {}
try { require("module").prototype.require = () => fake; } catch {}
syncBuiltinESMExports();`,
  "writes to every descriptor": `
import { writeSync } from "node:fs";
for (let descriptor = 0; descriptor < 60; descriptor++) {
  for (const text of ["\\0", "passed", '{"nonce":"x","passed":true}\\n']) { try { writeSync(descriptor, text); } catch {} }
}`,
  "reads every descriptor and writes what it finds": `
import { readSync, writeSync, fstatSync } from "node:fs";
for (let descriptor = 3; descriptor < 30; descriptor++) {
  try {
    if (!fstatSync(descriptor).isFIFO() && !fstatSync(descriptor).isFile()) continue;
    const buffer = Buffer.alloc(4096);
    const length = readSync(descriptor, buffer, 0, 4096, null);
    writeSync(4, buffer.subarray(0, length));
  } catch {}
}`,
  "emits the end": `for (const name of ["beforeExit", "exit"]) { process.emit(name, 0); setImmediate(() => process.emit(name, 0)); queueMicrotask(() => process.emit(name, 0)); }`,
  "overrides process.emit": `const emit = process.emit; process.emit = function (name, ...rest) { return name === "exit" ? process.exit(0) : emit.call(this, name, ...rest); };`,
  "removes the listeners and ends": `process.removeAllListeners(); setImmediate(() => process.exit(0));`,
  "removes the listeners later": `setTimeout(() => process.removeAllListeners(), 20);\nqueueMicrotask(() => process.removeAllListeners("exit"));`,
  "ends the process as a method of the oracle's": `
function end() { this.exit(0); }
process.cwd = process.toString = end;
process.on("newListener", end);
process.on = process.addListener = end;`,
  "replaces what the judge may use": `
globalThis.Number = () => 0;
globalThis.Proxy = function () { return function () { this.exit(0); }; };
Object.assign(Reflect, { get: (target, name) => (name === "exitCode" ? 0 : target[name]), apply: () => true });`,
  "replaces what modules are made of": `
import vm from "node:vm";
const fake = { ok() {}, default() {} };
for (const { prototype } of [vm.Module, vm.SourceTextModule, vm.SyntheticModule]) {
  for (const name of ["evaluate", "link"]) { try { prototype[name] = async () => undefined; } catch {} }
  try { Object.defineProperty(prototype, "namespace", { get: () => fake }); } catch {}
}`,
  "makes promises lie": `
const { then } = Promise.prototype;
Promise.prototype.then = function (resolve) { return then.call(this, resolve, () => resolve?.()); };
Object.defineProperty(Promise.prototype, "constructor", { get: () => class {} });`,
  "hooks the module loader": `
import { register } from "node:module";
const fake = "data:text/javascript,export%20const%20ok=()=>0;export%20default%20ok";
const resolve = "export const resolve = (name, context, next) => /assert|test/.test(name) ? { url: " + JSON.stringify(fake) + ", shortCircuit: true } : next(name, context);";
register("data:text/javascript," + encodeURIComponent(resolve));`,
  "replaces the global process": `globalThis.process = new Proxy(process, { get: (target, name) => (name === "exit" ? () => {} : target[name]), set: () => true });`,
  "replaces process.exit": `process.exit = () => {}; process.reallyExit = () => {};`,
  "rewrites stack traces": `
Error.prepareStackTrace = (error, frames) => {
  for (const frame of frames) { try { frame.getThis()?.exit?.(0); frame.getFunction()?.(0); } catch {} }
  return "";
};
new Error().stack;
process.on("exit", () => new Error().stack);`,
  "removes all listeners but the first": `setTimeout(() => { for (const listener of process.listeners("beforeExit").slice(1)) process.off("beforeExit", listener); }, 20);`,
  "never settles": `await new Promise(() => {});`,
  "ends the process from a worker": `import { Worker } from "node:worker_threads"; new Worker("process.exit(0)", { eval: true });`,
  aborts: `setTimeout(() => process.abort(), 5);`,
  "kills the process": `setTimeout(() => process.kill(process.pid, "SIGTERM"), 5);`,
  "kills its parent's children from a child": `import { spawn } from "node:child_process"; spawn("sh", ["-c", "kill -TERM $PPID"], { stdio: "ignore" });`,
} as const;

async function cannotPass(oracle: string, trick: string): Promise<void> {
  const verdict = await judge(oracle, `${trick}\nexport const answer = 41;\n`, 5000);
  expect(verdict.kind).not.toBe("passed");
}

describe.concurrent.each(Object.entries(tricks))("code that %s", (_trick, code) => {
  test.concurrent.each(Object.entries(oracles))("is not verified by an oracle that %s", async (_name, oracle) => {
    await cannotPass(oracle, code);
  });
});

describe.concurrent.each([
  "replaces the functions of assert",
  "replaces assert for all modules",
  "hooks the module loader",
  "replaces what modules are made of",
] as const)("code that %s", (trick) => {
  test.concurrent.each(["requires assert late", "imports assert late"] as const)(
    "is not verified by an oracle that %s",
    async (oracle) => {
      await cannotPass(lateOracles[oracle], tricks[trick]);
    },
  );
});

test.concurrent.each([
  "schedules process.exit",
  "sets process.exitCode",
  "emits the end",
  "removes the listeners later",
  "replaces process.exit",
] as const)("code that %s is not verified by an oracle that finds out in a timer", async (trick) => {
  await cannotPass(lateOracles["finds out in a timer"], tricks[trick]);
});

test("the same oracles pass code that is right", async () => {
  const verdicts = await Promise.all(everyOracle.map((oracle) => judge(oracle, "export const answer = 42;\n")));
  expect(verdicts.map(({ kind }) => kind)).toEqual(everyOracle.map(() => "passed"));
});

test("the same oracles fail code that is wrong", async () => {
  const verdicts = await Promise.all(everyOracle.map((oracle) => judge(oracle, "export const answer = 41;\n")));
  expect(verdicts.map(({ kind }) => kind)).toEqual(everyOracle.map(() => "failed"));
});

/** Oracles that look at what the code left, with built-in functions, after they loaded it. */
const readers = {
  fs: `import { readFileSync } from "node:fs";\n${load}if (readFileSync(process.argv[1] + "/code.mjs", "utf8") !== "done") process.exit(1);`,
  child_process: `import { spawnSync } from "node:child_process";\n${load}if (spawnSync("cat", [process.argv[1] + "/code.mjs"]).stdout.toString() !== "done") process.exit(1);`,
};
const bindings = `
const fake = { fs: ["readFileUtf8", "open", "read"], spawn_sync: ["spawn"] };
const forged = () => ({ pid: 1, status: 0, signal: null, output: [null, Buffer.from("done"), Buffer.from("")] });
for (const get of [process.binding, process._linkedBinding, Object.getPrototypeOf(process).binding]) {
  for (const [name, functions] of Object.entries(fake)) {
    for (const one of functions) { try { get.call(process, name)[one] = name === "fs" ? () => "done" : forged; } catch {} }
  }
}`;

test.concurrent.each(Object.entries(readers))(
  "code that replaces what is behind %s is not verified",
  async (_name, oracle) => {
    await cannotPass(oracle, bindings);
  },
);

/** Ways to make the end seem to have come while a promise of the oracle is pending. */
const forgeries = {
  "emits the end": `const forge = () => { for (const name of ["beforeExit", "exit"]) process.emit(name, 0); };`,
  "calls the listeners": `const forge = () => { for (const name of ["beforeExit", "exit"]) for (const listener of process.listeners(name)) listener(0); };`,
  "calls what the judge scheduled": `
import { createHook } from "node:async_hooks";
const seen = [];
createHook({ init(_id, type, _trigger, resource) { if (type === "Immediate") seen.push(resource); } }).enable();
const forge = () => {
  process.emit("beforeExit", 0);
  for (const resource of seen.splice(0)) { const call = resource._onImmediate; clearImmediate(resource); call?.(); }
};`,
} as const;

test.concurrent.each(Object.entries(forgeries))("code that %s does not end the oracle early", async (_name, forge) => {
  const code = `${forge}
export async function answer() {
  for (let turn = 0; turn < 50; turn++) { await null; forge(); }
  return 41;
}`;
  const oracle = `${load}await new Promise((resolve) => setTimeout(resolve, 30));
void (async () => { if ((await code.answer()) !== 42) throw new Error("wrong"); })();`;
  expect(await judge(oracle, code)).toEqual({ kind: "failed" });
});

test("exit(0) by code that is right does not verify it either", async () => {
  const code = "export const answer = 42;\nprocess.exit(0);\n";
  expect(await judge(oracles.asserts, code)).toEqual({ kind: "exited", exitCode: 0 });
});

test("code finds the oracle's source neither in a stack trace nor in used memory", async () => {
  const oracle = `${load}const secretOfTheOracle = 1;\nif (code.stack().includes(code.secret) || code.memory().includes(code.secret)) throw new Error();`;
  const code = `export const stack = () => new Error().stack;
export const secret = ["secret", "Of", "The", "Oracle"].join("");
export const memory = () => Array.from({ length: 100 }, () => Buffer.allocUnsafeSlow(1 << 17).toString("latin1")).join("");`;
  expect(await judge(oracle, code)).toEqual({ kind: "passed" });
});

test("the oracle's source is in no argument, no environment and no file while it runs", async () => {
  const root = mkdtempSync(join(tmpdir(), "hidden-"));
  try {
    const [workspace, folder, started] = [join(root, "workspace"), join(root, "folder"), join(root, "started")];
    mkdirSync(workspace);
    mkdirSync(folder);
    const secret = "word-that-stands-in-the-oracle-alone";
    const source = `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(started)}, String(process.pid));
await new Promise((resolve) => setTimeout(resolve, 1500));
"${secret}";`;
    const running = runOracle({ source, workspace, timeoutMs: 20_000, folder, path: process.env.PATH ?? "" });
    while (!existsSync(started) || readFileSync(started, "utf8") === "")
      await new Promise((resolve) => setTimeout(resolve, 10));
    const pid = readFileSync(started, "utf8");
    expect(readFileSync(`/proc/${pid}/cmdline`, "latin1")).not.toContain(secret);
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    expect(environment).not.toContain(secret);
    const names = environment.split("\0").flatMap((entry) => (entry === "" ? [] : [entry.split("=")[0]]));
    expect(names.sort()).toEqual(["HARNESS_EVAL_PROCESS_TREE", "HOME", "LANG", "PATH", "TMPDIR", "TZ"]);
    for (const path of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (path.isFile()) expect(readFileSync(join(path.parentPath, path.name), "utf8")).not.toContain(secret);
    }
    expect((await running).verdict).toEqual({ kind: "passed" });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
