#!/usr/bin/env node
import process from "node:process";
import { main } from "../src/cli/main.ts";
import { closeInherited } from "../src/process/inherited.ts";

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => interruption.abort(signal));
}
// Node's own answer opens the debugger's port, to which every process of this user could connect.
process.on("SIGUSR1", () => undefined);
// Without a listener an error would end the process here.
let lost: string | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => (lost = error.code));
process.stderr.on("error", () => undefined);

const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

const exitCode = await main(process.argv.slice(2), {
  env,
  platform: process.platform,
  nodeVersion: process.version,
  stdout: process.stdout,
  stderr: process.stderr,
  closeInherited,
  interruption: interruption.signal,
});

await new Promise((resolve) => process.stdout.write("", resolve));
// A reader that had enough is nothing to complain of. A result that is nowhere is.
if (exitCode === 0 && lost !== undefined && lost !== "EPIPE") {
  process.stderr.write(`standard output could not be written (${lost})\n`);
  process.exitCode = 4;
} else {
  process.exitCode = exitCode;
}
