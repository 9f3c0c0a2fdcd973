import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { agents } from "../agent/registry.ts";
import { runCohort, type CohortEnd } from "../attempt/cohort.ts";
import { unsetVariables } from "../attempt/environment.ts";
import { compare } from "../compare/comparison.ts";
import { loadManifest } from "../manifest/load.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { InputError } from "../problem.ts";
import { recordSetOf } from "../record/reader.ts";
import { recordWriter } from "../record/writer.ts";
import { adviceOnFailure, endLine } from "./ending.ts";
import type { Result } from "./exit-code.ts";
import type { Command } from "./main.ts";
import { startProgress } from "./progress.ts";
import { numberOption } from "./usage.ts";
import { harnessVersion } from "./version.ts";

interface RunOptions {
  manifest: string;
  output?: string;
  task?: string;
  limitBlocks?: unknown;
  quiet: boolean;
}

export const runCommand: Command<RunOptions> = {
  usage: "run <manifest>",
  describe: "Run a cohort; records go to standard output, progress to standard error",
  options: (parser) =>
    parser
      .positional("manifest", { type: "string", demandOption: true, describe: "The manifest, a JSON file" })
      .option("output", {
        alias: "o",
        type: "string",
        requiresArg: true,
        describe: "Write the records to this new file instead",
      })
      .option("task", { type: "string", requiresArg: true, describe: "Smoke run: only this task" })
      .option("limit-blocks", { requiresArg: true, describe: "Smoke run: only the first N blocks" })
      .option("quiet", { type: "boolean", default: false, describe: "No progress" }),
  async run(options, io) {
    const { manifest, warnings } = await loadManifest(options.manifest);
    checkTask(options.task, manifest);
    const limitBlocks = numberOption("--limit-blocks", options.limitBlocks, {
      fits: (value) => Number.isSafeInteger(value) && value >= 1,
      message: "must be a whole number of 1 or more",
    });
    const progress = startProgress(io.stderr, options.quiet);
    for (const warning of [...warnings, ...unsetVariables(manifest, io.env)])
      progress.onEvent({ kind: "warning", warning });
    const output = options.output === undefined ? io.stdout : await newFile(options.output);
    const writer = recordWriter(output);
    try {
      const end = await runCohort({
        manifest,
        agent: agents[manifest.agent],
        env: io.env,
        harnessVersion,
        nodeVersion: io.nodeVersion,
        platform: io.platform,
        signal: io.interruption,
        task: options.task,
        limitBlocks,
        write: (line) => writer.write(line),
        onEvent: progress.onEvent,
      });
      if (end.cohort !== null) await writer.write(closingLine(end, manifest));
      progress.end(endLine(end, options.output));
      const advice = adviceOnFailure(end, options.manifest);
      if (advice !== null) io.stderr.write(`${advice}\n`);
      return resultOf(end, io.interruption);
    } finally {
      progress.stop();
      if (output !== io.stdout) await new Promise((resolve) => output.end(resolve));
    }
  },
};

function checkTask(task: string | undefined, manifest: ResolvedManifest): void {
  if (task !== undefined && !manifest.tasks.some(({ id }) => id === task)) {
    const known = manifest.tasks.slice(0, 20).map(({ id }) => id);
    throw new InputError({
      field: "--task",
      value: task,
      message: "no such task",
      fix: `use one of ${known.join(", ")}`,
    });
  }
}

/** Nothing that was recorded is overwritten. */
async function newFile(path: string): Promise<Writable> {
  try {
    const handle = await open(path, "wx");
    return createWriteStream(path, { fd: handle });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const [message, fix] =
      code === "ENOENT"
        ? ["its folder is not there", "make the folder first"]
        : [code === "EEXIST" ? "the file is there already" : `cannot be written (${code})`, "name a new file"];
    throw new InputError({ field: "--output", value: path, message, fix });
  }
}

function closingLine(end: CohortEnd, manifest: ResolvedManifest) {
  const [baseline, candidate] = manifest.arms;
  const comparison =
    end.kind === "complete" ? compare(recordSetOf(end.cohort, end.runs), baseline.name, candidate.name) : null;
  return { type: "comparison" as const, comparison, incomplete: comparison === null };
}

function resultOf(end: CohortEnd, interruption: AbortSignal): Result {
  switch (end.kind) {
    case "complete":
    case "smoke":
      return { kind: "done" };
    case "cancelled":
      return { kind: "interrupted", signal: String(interruption.reason) };
    case "stopped":
      return { kind: "incomplete" };
  }
}
