import { randomInt } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { agents } from "../agent/registry.ts";
import { runCohort, type CohortEnd } from "../attempt/cohort.ts";
import { compare } from "../compare/comparison.ts";
import { loadManifest } from "../manifest/load.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { InputError } from "../problem.ts";
import { recordSetOf } from "../record/reader.ts";
import { recordWriter } from "../record/writer.ts";
import type { Result } from "./exit-code.ts";
import type { Command } from "./main.ts";
import { startProgress } from "./progress.ts";
import { harnessVersion } from "./version.ts";

interface RunOptions {
  manifest: string;
  output?: string;
  task?: string;
  limitBlocks?: number;
  maxTokens?: number;
  maxCost?: number;
  untilDecided?: boolean;
  seed?: number;
  quiet: boolean;
}

export const runCommand: Command<RunOptions> = {
  usage: "run <manifest>",
  describe: "Run a cohort; records go to standard output, progress to standard error",
  options: (parser) =>
    parser
      .positional("manifest", { type: "string", demandOption: true, describe: "The manifest, a JSON file" })
      .option("output", { alias: "o", type: "string", describe: "Write the records to this new file instead" })
      .option("task", { type: "string", describe: "Smoke run: only this task" })
      .option("limit-blocks", { type: "number", describe: "Smoke run: only the first N blocks" })
      .option("max-tokens", { type: "number", requiresArg: true, describe: "End with the block that uses up so many" })
      .option("max-cost", {
        type: "number",
        requiresArg: true,
        describe: "The same in US dollars, as the CLI states them",
      })
      .option("until-decided", {
        type: "boolean",
        default: false,
        describe: "End once the evidence suffices; tasks run in a random order",
      })
      .option("seed", { type: "number", requiresArg: true, describe: "Of that order; default: drawn" })
      .option("quiet", { type: "boolean", default: false, describe: "No progress" }),
  async run(options, io) {
    const { manifest, warnings } = await loadManifest(options.manifest);
    checkSmokeOptions(options, manifest);
    checkNumbers(options);
    const progress = startProgress(io.stderr, options.quiet);
    for (const warning of warnings) progress.onEvent({ kind: "warning", warning });
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
        limitBlocks: options.limitBlocks,
        budget: { maxTokens: options.maxTokens, maxCostUsd: options.maxCost },
        untilDecided: stoppingRule(options),
        write: (line) => writer.write(line),
        onEvent: progress.onEvent,
      });
      if (end.cohort !== null) await writer.write(closingLine(end, manifest));
      progress.end(end);
      return resultOf(end, io.interruption);
    } finally {
      progress.stop();
      if (output !== io.stdout) await new Promise((resolve) => output.end(resolve));
    }
  },
};

function checkSmokeOptions({ task }: RunOptions, manifest: ResolvedManifest): void {
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

function checkNumbers({ limitBlocks, maxTokens, maxCost, seed }: RunOptions): void {
  const check = (
    field: string,
    value: number | undefined,
    isRight: (value: number) => boolean,
    words: string,
  ): void => {
    if (value !== undefined && !isRight(value)) throw new InputError({ field, value, message: `must be ${words}` });
  };
  const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
  check("--limit-blocks", limitBlocks, isCount, "a whole number of 1 or more");
  check("--max-tokens", maxTokens, isCount, "a whole number of 1 or more");
  check("--max-cost", maxCost, (value) => value > 0 && Number.isFinite(value), "a number above 0");
  check(
    "--seed",
    seed,
    (value) => Number.isSafeInteger(value) && value >= 0 && value < mostSeed,
    "a whole number below 2^32",
  );
}

const mostSeed = 2 ** 32;
const alpha = 0.05;

/** @throws InputError for a stopping rule beside a choice of blocks: it needs whole tasks in an order that nobody chose. */
function stoppingRule({ untilDecided, seed, task, limitBlocks }: RunOptions) {
  if (untilDecided !== true) {
    if (seed === undefined) return undefined;
    throw new InputError({ field: "--seed", message: "draws the order of --until-decided alone", fix: "leave it out" });
  }
  if (task !== undefined || limitBlocks !== undefined) {
    const message = "cannot be combined with --task or --limit-blocks: it takes whole tasks in a random order";
    throw new InputError({ field: "--until-decided", message, fix: "leave one of them out" });
  }
  return { alpha, seed: seed ?? randomInt(mostSeed) };
}

/** Nothing that was recorded is overwritten. */
async function newFile(path: string): Promise<Writable> {
  try {
    const handle = await open(path, "wx");
    return createWriteStream(path, { fd: handle });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const message = code === "EEXIST" ? "the file is there already" : `cannot be written (${code})`;
    throw new InputError({ field: "--output", value: path, message, fix: "name a new file" });
  }
}

function closingLine(end: CohortEnd, manifest: ResolvedManifest) {
  const [baseline, candidate] = manifest.arms;
  const records =
    end.kind === "decided"
      ? recordSetOf(end.cohort, end.runs, end.stop)
      : end.kind === "complete"
        ? recordSetOf(end.cohort, end.runs)
        : null;
  const comparison = records === null ? null : compare(records, baseline.name, candidate.name);
  return { type: "comparison" as const, comparison, incomplete: comparison === null };
}

function resultOf(end: CohortEnd, interruption: AbortSignal): Result {
  switch (end.kind) {
    case "complete":
    case "decided":
    case "smoke":
      return { kind: "done" };
    case "cancelled":
      return { kind: "interrupted", signal: String(interruption.reason) };
    case "stopped":
      return { kind: "incomplete" };
  }
}
