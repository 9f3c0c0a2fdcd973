import { builtinModules } from "node:module";
import { expect, test } from "vitest";
import { describeVerdict } from "../../src/oracle/verdict.ts";
import { judge, load } from "./program.ts";

const good = "export const answer = 42; export const add = (a, b) => a + b;";
const assertion = `import assert from "node:assert/strict";\n`;

test.concurrent.each([
  ["ends", "1 + 1;"],
  ["is empty", ""],
  ["asserts", `${assertion}${load}assert.equal(code.answer, 42);`],
  ["calls process.exit(0)", `${load}if (code.answer === 42) process.exit(0);\nprocess.exit(1);`],
  ["calls process.exit()", `process.exit();`],
  ["calls an imported exit", `import { exit } from "node:process";\nexit(0);`],
  ["imports process itself", `import process from "node:process";\nprocess.exit(0);`],
  ["imports process without prefix", `import process from 'process';\nprocess.exit(0);`],
  ["imports process dynamically", `const { exit } = await import("node:process");\nexit(0);`],
  ["calls process.exit(0) in a timer of its own", `setTimeout(() => process.exit(0), 20);`],
  ["calls process.exit(0) in a promise of its own", `void Promise.resolve().then(() => process.exit(0));`],
  ["sets process.exitCode = 0", `process.exitCode = 0;`],
  ["calls process.exit(undefined)", `process.exit(undefined);`],
  ["calls process.exit from eval", `eval("process.exit(0)");`],
  ["starts work that it does not await", `setTimeout(() => undefined, 50);`],
  [
    "uses node:test",
    `import test from "node:test";\n${load}test("answer", () => { if (code.answer !== 42) throw new Error(); });`,
  ],
  [
    "runs the code in a child process",
    `${assertion}import { spawnSync } from "node:child_process";
const program = 'import(process.argv[1] + "/code.mjs").then(({ add }) => console.log(add(1, 2)))';
const { stdout } = spawnSync(process.execPath, ["-e", program, process.argv[1]], { encoding: "utf8" });
assert.equal(stdout, "3\\n");`,
  ],
  [
    "uses createRequire",
    `import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\nif (require(process.argv[1] + "/code.cjs").answer !== 42) process.exit(1);`,
  ],
  [
    "imports an absolute path",
    `const code = await import(process.argv[1] + "/code.mjs");\nif (code.add(2, 2) !== 4) throw new Error();`,
  ],
  [
    "reads files",
    `import { readFileSync } from "fs";\nimport path from "path";\nif (!readFileSync(path.join(process.argv[1], "code.mjs"), "utf8").includes("42")) process.exit(1);`,
  ],
  [
    "reads JSON by an import",
    `import { writeFileSync } from "node:fs";\nwriteFileSync("a.json", "[1]");\nconst { default: values } = await import("./a.json", { with: { type: "json" } });\nif (values[0] !== 1) throw new Error();`,
  ],
  [
    "serves and asks over HTTP",
    `import http from "node:http";
const server = http.createServer((_request, response) => response.end("yes"));
server.listen(0, "127.0.0.1", async () => {
  const response = await fetch("http://127.0.0.1:" + server.address().port);
  if ((await response.text()) !== "yes") process.exit(1);
  server.close();
});`,
  ],
  [
    "waits for a child by events",
    `import { spawn } from "node:child_process";
const child = spawn(process.execPath, ["-p", "1"]);
let output = "";
child.stdout.on("data", (chunk) => (output += chunk));
child.on("close", (exitCode) => { if (exitCode !== 0 || output !== "1\\n") process.exit(1); });`,
  ],
  [
    "uses a worker",
    `import { Worker } from "node:worker_threads";\nnew Worker("require('node:worker_threads').parentPort.postMessage(1)", { eval: true }).on("message", (value) => { if (value !== 1) process.exit(1); });`,
  ],
  [
    "leaves work to the thread pool",
    `import zlib from "node:zlib";\nzlib.gzip("x", (error) => { if (error) throw error; });`,
  ],
  [
    "uses the names of CommonJS",
    `const { join } = require("node:path");\nif (require(join(process.argv[1], "code.cjs")).answer !== 42 || __dirname !== process.cwd()) process.exit(1);`,
  ],
  [
    "declares a name of CommonJS",
    `import { dirname } from "node:path";\nconst __dirname = dirname(import.meta.filename);\nif (require("node:process").cwd() !== __dirname) process.exit(1);`,
  ],
  ["ends with a comment", "1; // the end"],
  ["ends with an export", "export default class {}"],
  ["starts with a hashbang", "#!/usr/bin/env node\n1;"],
  [
    "has Windows line ends, comments and non-ASCII text",
    `// été 😀\r\nconst größe = "ü";\r\nif (größe.length !== 1) process.exit(1);\r\n`,
  ],
  ["imports after code", `const early = 1;\nimport assert from "node:assert";\nassert.equal(early, 1);`],
  ["is as long as it may be", `${" ".repeat(23_990)}1;`],
  [
    "imports every built-in module",
    builtinModules.map((name, index) => `import * as module${index} from ${JSON.stringify(name)};`).join("\n"),
  ],
  [
    "uses what is made at its first reading",
    `import util, { parseArgs, inspect } from "node:util";\nimport { webcrypto, subtle } from "node:crypto";\nimport fs, { promises } from "node:fs";
if (util.parseArgs !== parseArgs || typeof inspect !== "function" || promises !== fs.promises || !webcrypto || !subtle) process.exit(1);`,
  ],
  [
    "looks at its arguments",
    `${assertion}assert.equal(process.argv.length, 2);\nassert.deepEqual(process.execArgv, []);`,
  ],
  ["awaits a rejection that it expects", `${assertion}await assert.rejects(Promise.reject(new Error("x")));`],
] as const)("an oracle that %s passes", async (_name, oracle) => {
  expect(await judge(oracle, good)).toEqual({ kind: "passed" });
});

test.concurrent.each([
  ["throws", `throw new Error("no");`],
  ["throws at the exit", `process.on("exit", () => { throw new Error(); });`],
  ["sets the exit code at the exit", `process.on("exit", () => { process.exitCode = 1; });\nprocess.exit(0);`],
  ["throws nothing in particular", `throw undefined;`],
  ["asserts in vain", `${assertion}${load}assert.equal(code.answer, 43);`],
  ["calls process.exit(1)", `process.exit(1);`],
  ["calls an imported exit with 1", `import { exit } from "process";\nexit(1);`],
  ["sets process.exitCode = 1", `process.exitCode = 1;`],
  ["sets process.exitCode = 1, then calls process.exit()", `process.exitCode = 1;\nprocess.exit();`],
  ["fails in a timer", `setTimeout(() => { throw new Error(); }, 20);`],
  ["leaves a rejection unhandled", `void Promise.reject(new Error());`],
  ["rejects at its top level", `await Promise.reject(new Error());`],
  ["imports a file that is not there", `await import(process.argv[1] + "/none.mjs");`],
  ["has a failing node:test", `import test from "node:test";\ntest("no", () => { throw new Error(); });`],
] as const)("an oracle that %s fails", async (_name, oracle) => {
  expect(await judge(oracle, good)).toEqual({ kind: "failed" });
});

test.concurrent.each([
  ["does not parse", "const early = 1;\nconst = 1;", { kind: "unparsable" }],
  ["is cut short", "if (true)", { kind: "unparsable" }],
  ["imports a module that is not there", `import "./none.mjs";`, { kind: "unparsable" }],
  ["imports a name that is not there", `import { none } from "node:fs";`, { kind: "unparsable" }],
  ["exits with 2", "process.exit(2);", { kind: "exited", exitCode: 2 }],
  ["exits with 256", "process.exit(256);", { kind: "exited", exitCode: 0 }],
  ["exits with 97", "process.exit(97);", { kind: "exited", exitCode: 97 }],
  ["never settles", "await new Promise(() => undefined);", { kind: "exited", exitCode: 13 }],
  [
    "kills itself",
    `process.kill(process.pid, "SIGKILL");\nawait new Promise((resolve) => setTimeout(resolve, 5000));`,
    { kind: "signalled", signal: "SIGKILL" },
  ],
  ["hangs", "for (;;);", { kind: "timeout", timeoutMs: 1500 }],
  ["keeps the loop alive", "setInterval(() => undefined, 1000);", { kind: "timeout", timeoutMs: 1500 }],
] as const)("an oracle that %s is told from one that fails", async (_name, oracle, verdict) => {
  const found = await judge(oracle, good, verdict.kind === "timeout" ? verdict.timeoutMs : 20_000);
  expect(found).toEqual(verdict);
  expect(describeVerdict(found)).toMatch(/^(it|its) /);
});
