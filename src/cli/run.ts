import { loadManifest } from "../manifest/load.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { InputError } from "../problem.ts";
import { confinementChoice, withContain, withExpose, type ContainOptions } from "./contain.ts";
import { adviceOnFailure } from "./ending.ts";
import type { Command } from "./main.ts";
import { recordCohort, resultOf } from "./record-cohort.ts";
import { amountOption, countOption, seedOption } from "./usage.ts";

interface RunOptions extends ContainOptions {
  manifest: string;
  output?: string;
  task?: string;
  limitBlocks?: unknown;
  maxTokens?: unknown;
  maxCost?: unknown;
  maxFaults?: unknown;
  retryFaults?: unknown;
  untilDecided?: boolean;
  seed?: unknown;
  resume?: boolean;
  quiet: boolean;
}

const alpha = 0.05;

export const runCommand: Command<RunOptions> = {
  usage: "run <manifest>",
  describe: "Run a cohort; records go to standard output, progress to standard error",
  options: (parser) =>
    withExpose(withContain(parser))
      .positional("manifest", { type: "string", demandOption: true, describe: "The manifest, a JSON file" })
      .option("output", {
        alias: "o",
        type: "string",
        requiresArg: true,
        describe: "Write the records to this new file instead",
      })
      .option("task", { type: "string", requiresArg: true, describe: "Smoke run: only this task" })
      .option("limit-blocks", { requiresArg: true, describe: "Smoke run: only the first N blocks" })
      .option("max-tokens", { requiresArg: true, describe: "End with the block that uses up so many" })
      .option("max-cost", { requiresArg: true, describe: "The same in US dollars, as the CLI states them" })
      .option("max-faults", { requiresArg: true, describe: "End once so many attempts had a fault" })
      .option("retry-faults", { requiresArg: true, describe: "Run a block with a fault again, so often" })
      .option("until-decided", {
        type: "boolean",
        default: false,
        describe: "End once the evidence suffices; tasks run in a random order",
      })
      .option("seed", { requiresArg: true, describe: "Of that order; default: drawn" })
      .option("resume", {
        type: "boolean",
        default: false,
        describe: "Go on with the records in the file of --output",
      })
      .option("quiet", { type: "boolean", default: false, describe: "No progress" }),
  async run(options, io) {
    const { output, task, quiet, resume } = options;
    if (resume === true && output === undefined) {
      const message = "needs --output: standard output holds nothing to go on with";
      throw new InputError({ field: "--resume", message, fix: "name the record file" });
    }
    const { manifest, warnings } = await loadManifest(options.manifest);
    checkTask(task, manifest);
    const limitBlocks = countOption("--limit-blocks", options.limitBlocks);
    const budget = {
      maxTokens: countOption("--max-tokens", options.maxTokens),
      maxCostUsd: amountOption("--max-cost", options.maxCost),
      maxFaults: countOption("--max-faults", options.maxFaults),
    };
    const retryFaults = countOption("--retry-faults", options.retryFaults, 100);
    const confinement = confinementChoice(options, output);
    const asked = { retryFaults, manifest, warnings, output, resume, quiet, task, limitBlocks, budget, confinement };
    const recorded = await recordCohort({ ...asked, untilDecided: stoppingRule(options) }, io);
    const advice = adviceOnFailure(recorded.end, options.manifest);
    if (advice !== null) io.stderr.write(`${advice}\n`);
    return resultOf(recorded, io.interruption);
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

/** @throws InputError for a stopping rule beside a choice of blocks: it needs whole tasks in an order that nobody chose. */
function stoppingRule({ untilDecided, seed: given, task, limitBlocks }: RunOptions) {
  const seed = seedOption("--seed", given);
  if (untilDecided !== true) {
    if (seed === undefined) return undefined;
    throw new InputError({ field: "--seed", message: "draws the order of --until-decided alone", fix: "leave it out" });
  }
  if (task !== undefined || limitBlocks !== undefined) {
    const message = "cannot be combined with --task or --limit-blocks: it takes whole tasks in a random order";
    throw new InputError({ field: "--until-decided", message, fix: "leave one of them out" });
  }
  return { alpha, seed };
}
