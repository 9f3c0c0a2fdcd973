#!/usr/bin/env node
import process from "node:process";
import { main } from "../src/cli/main.ts";

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => interruption.abort(signal));
}
// A closed pipe is reported by the write that met it; without a listener it would end the process here.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

process.exitCode = await main(process.argv.slice(2), {
  env,
  platform: process.platform,
  nodeVersion: process.version,
  stdout: process.stdout,
  stderr: process.stderr,
  interruption: interruption.signal,
});
