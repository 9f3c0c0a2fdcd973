/**
 * Runs an oracle: the first code of the oracle's process, and the only one that can vouch for its end.
 *
 * Descriptor 3 brings `{nonce, source}`; the nonce goes back on descriptor 4 once the oracle's own code has run to its
 * end, or has itself called `process.exit(0)`, the event loop has drained and nothing failed. Code that the oracle loads,
 * so code of the workspace, can end the process in any way, but it does not know the nonce, and it finds the built-in
 * modules frozen. The language's own intrinsics (prototypes, JSON) are not: freezing them breaks honest code. A module in the
 * same process can also attach the inspector and read memory. An oracle that starts the code under test in a child
 * process is out of its reach.
 */
import { readFileSync, closeSync, writeSync } from "node:fs";
import { createRequire, syncBuiltinESMExports, isBuiltin } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

/** Told apart from every code that an oracle would choose; the reason is on descriptor 4. */
const UNPARSABLE_EXIT = 97;

const real = globalThis.process;
const exitNow = real.reallyExit.bind(real);
const activeResources = real.getActiveResourcesInfo.bind(real);
const { apply } = Reflect;
const write = (text) => apply(writeSync, undefined, [4, text]);

const { nonce, source } = JSON.parse(readFileSync(3, "utf8"));
closeSync(3);
const workspace = real.argv[2];
real.argv.splice(0, real.argv.length, real.execPath, workspace);
real.execArgv.length = 0;

/** What the oracle itself set; the workspace's code cannot reach it. */
let ownExitCode;
let ended = false;

/** Ends the process at once: nothing runs any more that could change the answer. */
function finish(exitCode) {
  if (exitCode === 0) write(nonce);
  exitNow(exitCode);
}

function fail() {
  exitNow(1);
}

/** `process` as the oracle sees it: its `exit` counts as the oracle's own end. */
const own = new Proxy(real, {
  get: (target, name) => (name === "exit" ? ownExit : Reflect.get(target, name)),
  set(target, name, value) {
    if (name === "exitCode") ownExitCode = value;
    return Reflect.set(target, name, value);
  },
});

function ownExit(code) {
  const exitCode = Number(code ?? ownExitCode ?? real.exitCode ?? 0);
  finish(Number.isInteger(exitCode) ? exitCode & 255 : 1);
}

/** What fails anywhere fails the oracle, whatever handlers the workspace's code installs. */
real.setUncaughtExceptionCaptureCallback(fail);
const refuse = () => {
  throw new Error("The oracle's process keeps its own handler");
};
// Node itself calls `_fatalException` by its name.
for (const [name, value] of [
  ["setUncaughtExceptionCaptureCallback", refuse],
  ["_fatalException", real._fatalException],
]) {
  Object.defineProperty(real, name, { value, writable: false, configurable: false });
}

real.on("exit", () => {
  if (!ended || activeResources().length > 0) return;
  const exitCode = Number(ownExitCode ?? 0) || Number(real.exitCode ?? 0);
  finish(exitCode);
});

const require = createRequire(import.meta.url);
for (const name of [
  "assert",
  "assert/strict",
  "fs",
  "fs/promises",
  "child_process",
  "path",
  "url",
  "util",
  "vm",
  "module",
  "crypto",
  "os",
]) {
  const exports = require(`node:${name}`);
  // Some properties are made at their first reading, which a frozen object would not allow.
  for (const key of Object.keys(exports)) void exports[key];
  Object.freeze(exports);
  for (const key of ["strict", "promises", "posix", "win32", "types"]) if (exports[key]) Object.freeze(exports[key]);
}
syncBuiltinESMExports();

const identifier = pathToFileURL(join(real.cwd(), "oracle.mjs")).href;
const options = {
  identifier,
  initializeImportMeta(meta) {
    meta.url = identifier;
    meta.filename = join(real.cwd(), "oracle.mjs");
    meta.dirname = real.cwd();
  },
  importModuleDynamically: (specifier) => load(specifier),
};

async function load(specifier) {
  if (specifier === "process" || specifier === "node:process") return ownProcessModule();
  return import(isBuiltin(specifier) || URL.canParse(specifier) ? specifier : new URL(specifier, identifier).href);
}

let ownProcess;
async function ownProcessModule() {
  if (ownProcess === undefined) {
    const names = Object.keys(await import("node:process")).filter((name) => name !== "default");
    ownProcess = new vm.SyntheticModule(["default", ...names], function () {
      this.setExport("default", own);
      for (const name of names) this.setExport(name, own[name]);
    });
    await ownProcess.link(() => {});
    await ownProcess.evaluate();
  }
  return ownProcess;
}

async function link(specifier) {
  const loaded = await load(specifier);
  if (loaded instanceof vm.Module) return loaded;
  const names = Object.keys(loaded);
  return new vm.SyntheticModule(names, function () {
    for (const name of names) this.setExport(name, loaded[name]);
  });
}

/** The oracle's free `process` is its own; an oracle that imports that name itself gets its own by the import. */
function parse() {
  try {
    return new vm.SourceTextModule(`import process from "node:process";${source.replace(/^#!.*/, "")}`, options);
  } catch {
    return new vm.SourceTextModule(source, options);
  }
}

let oracle;
try {
  oracle = parse();
  await oracle.link(link);
} catch {
  write("unparsable");
  exitNow(UNPARSABLE_EXIT);
}
try {
  await oracle.evaluate();
} catch {
  fail();
}
ended = true;
