#!/usr/bin/env node
// Stands in for a coding-agent CLI: does what its prompt says, a JSON object, and knows nothing but its own arguments,
// working directory and environment.
//   { "write": { "path": "content" }, "see": "path" (facts about its start, as JSON), "print": [lines], "printMegabytes": n,
//     "touch": "/absolute/path", "remove": "/absolute/path", "daemon": "/pid/file", "hang": "/pid/file", "exit": code }
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";

const argv = process.argv.slice(2);
const prompt = argv[argv.length - 1] ?? "";
const orders = JSON.parse(prompt.slice(prompt.indexOf("{")));
const root = argv.includes("--dir") ? argv[argv.indexOf("--dir") + 1] : process.cwd();

for (const [path, content] of Object.entries(orders.write ?? {})) {
  mkdirSync(dirname(resolve(root, path)), { recursive: true });
  writeFileSync(resolve(root, path), content);
}
if (orders.see) {
  const { AX_CODE_CONFIG_CONTENT: config, AX_CODE_ORIGINAL_CWD: originalCwd, HOME: home, PWD: pwd } = process.env;
  const facts = { argv, cwd: process.cwd(), config, originalCwd, home, pwd, names: Object.keys(process.env).sort() };
  writeFileSync(resolve(root, orders.see), JSON.stringify(facts));
}
for (const line of orders.print ?? [])
  process.stdout.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
if (orders.printMegabytes) {
  const megabyte = Buffer.alloc(1_000_000, `${JSON.stringify({ type: "noise", text: "x".repeat(74) })}\n`);
  for (let printed = 0; printed < orders.printMegabytes; printed++) {
    for (let offset = 0; offset < megabyte.length;) {
      try {
        offset += writeSync(1, megabyte, offset);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
      }
    }
  }
}
if (orders.touch) writeFileSync(orders.touch, "");
if (orders.remove) rmSync(orders.remove);
if (orders.daemon) {
  const daemon = spawn("sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], { detached: true, stdio: "inherit" });
  writeFileSync(orders.daemon, String(daemon.pid));
  daemon.unref();
}
if (orders.hang) {
  process.on("SIGTERM", () => undefined);
  writeFileSync(orders.hang, String(process.pid));
  setInterval(() => undefined, 1000);
} else {
  process.exitCode = orders.exit ?? 0;
}
