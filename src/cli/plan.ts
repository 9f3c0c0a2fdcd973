import { readPilot, type Pilot } from "../compare/pilot.ts";
import { loadManifest } from "../manifest/load.ts";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import { planBlocks } from "../plan/blocks.ts";
import { assessDesign, plausibleSpreads, type Spread } from "../plan/design.ts";
import { countOrders, worstCaseMs } from "../plan/schedule.ts";
import { readRecords } from "../record/reader.ts";
import { expectedCost, renderPlan, type CohortPlan } from "../report/plan.ts";
import { recordsPath } from "./io.ts";
import type { Command } from "./main.ts";

interface PlanOptions {
  manifest: string;
  pilot?: string;
  json: boolean;
}

const alpha = 0.05;
const power = 0.8;

export const planCommand: Command<PlanOptions> = {
  usage: "plan <manifest>",
  describe: "What a cohort will take, and what it can detect; nothing is run",
  options: (parser) =>
    parser
      .positional("manifest", { type: "string", demandOption: true, describe: "The manifest, a JSON file" })
      .option("pilot", {
        type: "string",
        requiresArg: true,
        describe: "Earlier records, a smoke run's too, to take spread, times, tokens and cost from",
      })
      .option("json", { type: "boolean", default: false, describe: "Print JSON, with the whole schedule" }),
  async run(options, io) {
    const { manifest, warnings } = await loadManifest(options.manifest);
    warnings.forEach((warning) => void io.stderr.write(`warning: ${warning.message}\n`));
    const [baseline, candidate] = manifest.arms;
    const records = options.pilot === undefined ? null : await readRecords(recordsPath(options.pilot));
    const pilot = records === null ? null : readPilot(records, baseline.name, candidate.name);
    const plan = planOf(manifest, pilot);
    io.stdout.write(options.json ? `${JSON.stringify(plan, null, 2)}\n` : renderPlan(plan));
    return { kind: "done" };
  },
};

function planOf(manifest: ResolvedManifest, pilot: Pilot | null): CohortPlan {
  const { tasks, repetitions, arms } = manifest;
  const blocks = planBlocks(tasks.length, repetitions);
  const margin = manifest.margin ?? null;
  const question = { tasks: tasks.length, repetitions, alpha, power, margin };
  const limits = tasks.map(({ timeoutMs, oracleTimeoutMs, setup }) => ({
    timeoutMs,
    oracleTimeoutMs,
    setup: setup.length,
  }));
  return {
    schemaVersion: 1,
    cohort: manifest.cohort,
    arms: [arms[0].name, arms[1].name],
    tasks: tasks.length,
    repetitions,
    blocks: blocks.length,
    attempts: 2 * blocks.length,
    order: countOrders(blocks),
    worstCaseMs: worstCaseMs(blocks, limits),
    margin,
    alpha,
    power,
    designs: spreadsOf(pilot).map((spread) => assessDesign(question, spread)),
    pilot,
    expected: pilot === null ? null : expectedCost(pilot, blocks.length),
    schedule: blocks.map(({ task, repetition, order }) => ({
      taskID: tasks[task]?.id ?? "",
      repetition,
      order: [arms[order[0]].name, arms[order[1]].name],
    })),
  };
}

/** A pilot in which no pair differs tells times and cost, and no spread. */
function spreadsOf(pilot: Pilot | null): readonly Spread[] {
  if (pilot === null || pilot.spread.total === null || pilot.spread.total === 0) return plausibleSpreads;
  const { betweenTasks, withinTask, total } = pilot.spread;
  // With one repetition all of it counts as lying between tasks, which promises nothing of more repetitions.
  const spread = { betweenTasks: betweenTasks ?? total, withinTask: withinTask ?? 0 };
  return [{ name: "as in the pilot", differing: pilot.differing, ...spread }];
}
