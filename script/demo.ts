/** A whole cohort on this machine: real Git fixtures, the real pi CLI, a scripted model. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { main } from "../src/cli/main.ts";
import type { Io } from "../src/cli/io.ts";
import { configurePi } from "./demo/pi-configuration.ts";
import { scriptedModel } from "./demo/scripted-model.ts";
import { startModelServer } from "./model-server/server.ts";

const manifest = relative(process.cwd(), fileURLToPath(new URL("../manifests/demo.json", import.meta.url)));
const records = "demo-runs.ndjson";

const introduction = `Does a page of project conventions (AGENTS.md) help the pi CLI? 4 tasks, 4 repetitions, 2 arms: about 2 minutes.
The model behind pi is a script on this machine, so this shows the machinery and says nothing about any real model.`;

const nextSteps = `What the model does was written beforehand; the fixtures, pi, its tools, the oracles and the records are real.
The records are in ${records}. Next:
  npx tsx script/harness-eval.ts compare ${records} baseline candidate --format json
or take a rule out of the candidate's AGENTS.md in ${manifest}, and run the demo again.`;

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => interruption.abort(signal));
}
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

process.exitCode = await demo();

async function demo(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "harness-eval-demo-"));
  try {
    const server = await startModelServer({ respond: scriptedModel() });
    try {
      return await runAndCompare(await configurePi(folder, server.url, inheritedEnvironment()));
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runAndCompare(env: Record<string, string>): Promise<number> {
  const io: Io = {
    env,
    platform: process.platform,
    nodeVersion: process.version,
    stdout: process.stdout,
    stderr: process.stderr,
    closeInherited: () => undefined,
    interruption: interruption.signal,
  };
  process.stderr.write(`${introduction}\n`);
  // What cannot be removed is reported by the run, which writes to a new file only.
  await rm(records, { force: true }).catch(() => undefined);
  const ran = await main(["run", manifest, "--output", records], io);
  if (ran !== 0) return ran;
  process.stdout.write("\n");
  const compared = await main(["compare", records, "baseline", "candidate", "--format", "table"], io);
  if (compared === 0) process.stdout.write(`\n${nextSteps}\n`);
  return compared;
}

function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
