"use strict";
/**
 * Runs an oracle: the first code of the oracle's process, and the only one that can vouch for the oracle's end.
 *
 * Descriptor 3 brings a nonce and the source; they are read whole and the descriptor is closed before anything else runs. On
 * descriptor 4 goes `S` once the source is parsed and linked (or `U`, with exit code 97), and behind it the nonce, once
 * - the oracle's own code ran past its last statement, nothing is left that would keep Node alive, and nothing failed; or
 * - the oracle's own code called `process.exit` with code 0.
 *
 * It holds against code that the oracle loads and that: ends the process in any way and at any time; sets `process.exitCode`;
 * installs handlers of uncaught errors and rejections, or a domain; emits `exit` or `beforeExit` itself; removes listeners;
 * replaces functions of `assert` and of the other built-in modules that the oracle names, of `process`, of `vm` or of Node's bindings; hooks the module
 * loader to replace a built-in module; makes promises lie about the oracle's end; writes to every descriptor; reads every descriptor,
 * used memory or a heap snapshot in search of the nonce.
 *
 * It does not hold against code that: attaches the inspector or reads the memory of its process from outside; changes the
 * language (prototypes, JSON, Promise) or globals (setTimeout) so that the oracle itself misjudges, since freezing those breaks honest
 * code; is handed the oracle's own `process`; patches the inside of node:test; or forges the end while the oracle has nothing but
 * work of the thread pool (crypto, zlib) outstanding that it does not await. An oracle that starts the code under test in a child process
 * is out of its reach.
 *
 * CommonJS, since Node starts it 6 ms faster than an ES module; strict, so that stack traces do not give out its functions.
 */
const { executionAsyncResource } = require("node:async_hooks");
const { Buffer } = require("node:buffer");
const { closeSync, readSync, writeSync } = require("node:fs");
const { join } = require("node:path");
const real = require("node:process");
const { setImmediate } = require("node:timers");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");
const { ownProcess } = require("./own-process.cjs");
const { ownModules, protectBuiltins } = require("./own-modules.cjs");

const { apply } = Reflect;
const { addListener, emit } = require("node:events").prototype;
const exitNow = real.reallyExit.bind(real);
const activeResources = real.getActiveResourcesInfo.bind(real);

/** Never a JavaScript string: a heap snapshot holds strings, but not the content of buffers. */
const nonce = new Uint8Array(32);
const unparsableExit = 97;
/** What the oracle finds declared. */
const givenNames = ["process", "require", "__filename", "__dirname"];

/** The oracle ran past its last statement. */
let reachedEnd = false;
let ending = false;
/** The reporter of node:test, where the oracle uses it. */
let tests = null;
/** Turns of the loop that node:test may take to report once nothing else is left; it needs none or few. */
let turnsLeft = 100;

const own = ownProcess(real, end);

/** Memory that held the input is wiped, since Node hands used memory out again. */
function readInput() {
  let bytes = new Uint8Array(1 << 17);
  let length = 0;
  for (let count; (count = readSync(3, bytes, length, bytes.length - length, null)) > 0;) {
    length += count;
    if (length < bytes.length) continue;
    const larger = new Uint8Array(2 * length);
    larger.set(bytes);
    bytes.fill(0);
    bytes = larger;
  }
  closeSync(3);
  nonce.set(bytes.subarray(0, nonce.length));
  const source = Buffer.from(bytes.buffer).toString("utf8", nonce.length, length);
  bytes.fill(0);
  return source;
}

function answer(bytes) {
  apply(writeSync, undefined, [4, bytes]);
}

/** Ends the process at once: nothing runs any more that could change the answer. */
function finish(exitCode) {
  try {
    if (exitCode === 0) answer(nonce);
  } catch {
    exitNow(1);
  }
  exitNow(exitCode);
}

/** The end that counts: what Node does at an exit, and then the nonce. */
function end() {
  if (!ending) {
    ending = true;
    const exitCode = own.exitCode();
    // Node's own listener would take an absent code for a top level that never settled.
    real.exitCode = exitCode;
    real._exiting = true;
    try {
      apply(emit, real, ["exit", exitCode]);
      own.emit("exit", exitCode);
    } catch {
      exitNow(1);
    }
  }
  finish(own.exitCode());
}

/** Only the oracle's own listeners may answer for an error. */
function onUncaught(error, fromPromise) {
  try {
    if (own.handles(error, fromPromise ? "unhandledRejection" : "uncaughtException")) return;
  } catch {
    exitNow(7);
  }
  exitNow(1);
}

/**
 * Anyone can emit `beforeExit`. In a turn of the loop of its own, with no microtask or tick left and nothing active, the loop
 * has drained whoever emitted it.
 */
function onBeforeExit() {
  if (reachedEnd && turnsLeft > 0 && isQuiet()) inNextTurn(settle);
}

function settle() {
  if (!isQuiet()) return;
  if (!own.emit("beforeExit", own.exitCode())) endIfQuiet();
  // Where a listener started work, Node emits `beforeExit` again after it.
  else if (isQuiet()) inNextTurn(endIfQuiet);
}

function endIfQuiet() {
  if (!isQuiet()) return;
  if (tests !== null) {
    const { failed, unfinished } = tests.state();
    if (failed) exitNow(1);
    if (unfinished) {
      if (--turnsLeft > 0) inNextTurn(endIfQuiet);
      return;
    }
  }
  end();
}

/** Hooks of asynchronous operations are shown the callback and could call it at once; then the turn is another one. */
function inNextTurn(step) {
  const turn = setImmediate(() => {
    if (executionAsyncResource() === turn) step();
  });
}

function isQuiet() {
  return activeResources().length === 0;
}

/**
 * Node calls `process._fatalException` by this name for every error that nothing caught. Its own handler asks the listeners, a
 * domain and a capture callback, which everyone may set; this one comes before them. (Being the capture callback would do for
 * these as well, but then `node:domain` and `node:repl` refuse to load.)
 */
function guardFailures() {
  const handled = real._fatalException;
  const value = (error, fromPromise) => {
    onUncaught(error, fromPromise);
    apply(addListener, real, ["uncaughtException", () => undefined]);
    return apply(handled, real, [error, fromPromise]);
  };
  Object.defineProperty(real, "_fatalException", { value, writable: false, configurable: false });
}

/**
 * Gives the oracle its own `process` and, since many are written that way, the names of CommonJS, unless it declares them itself.
 * Its last statement tells of its end. What is added keeps the lines.
 * @throws SyntaxError of the source as it is.
 */
function parse(source, options) {
  const body = source.replace(/^#!.*/, "");
  const parsed = (names) => {
    const imports = ["end as harnessEvalEnd", ...names].join();
    return new vm.SourceTextModule(
      `import {${imports}} from "harness-eval:oracle";${body}\n;harnessEvalEnd();`,
      options,
    );
  };
  const parses = (name) => {
    try {
      return parsed([name]) !== null;
    } catch {
      return false;
    }
  };
  // What is added could complete a source that does not parse, as in `if (x)`.
  new vm.SourceTextModule(body, options);
  try {
    return parsed(givenNames);
  } catch {
    return parsed(givenNames.filter(parses));
  }
}

/** The functions behind `fs` and `child_process`: whoever replaces those decides what the oracle reads. */
function closeBindings() {
  for (const name of ["binding", "_linkedBinding"]) {
    real[name] = () => {
      throw new Error(`process.${name} is not there while an oracle runs`);
    };
  }
}

async function prepare(source) {
  const filename = join(real.cwd(), "oracle.mjs");
  const identifier = pathToFileURL(filename).href;
  const modules = ownModules({ source, identifier, own: own.process, onEnd: () => (reachedEnd = true) });
  own.setGetBuiltinModule(modules.builtin);
  let oracle;
  try {
    oracle = parse(source, {
      identifier,
      initializeImportMeta(meta) {
        meta.url = identifier;
        meta.filename = filename;
        meta.dirname = real.cwd();
        meta.resolve = modules.resolve;
        meta.main = true;
      },
      importModuleDynamically: modules.load,
    });
    protectBuiltins(source);
    await oracle.link(modules.link);
  } catch {
    answer(Buffer.from("U"));
    exitNow(unparsableExit);
  }
  if (source.includes("node:test")) tests = await import("./test-reporter.mjs").then((module) => module.watch(real));
  return oracle;
}

async function run() {
  const source = readInput();
  real.argv.splice(0, real.argv.length, real.execPath, real.argv[2]);
  real.execArgv.length = 0;
  real.mainModule = undefined;
  closeBindings();
  guardFailures();
  real.on("beforeExit", onBeforeExit);
  // What Node says of the main module's top level when it never settles.
  real.on("exit", () => {
    if (!reachedEnd && !ending) real.exitCode ??= 13;
  });
  const oracle = await prepare(source);
  answer(Buffer.from("S"));
  try {
    await oracle.evaluate();
  } catch (error) {
    onUncaught(error, false);
  }
}

void run();
