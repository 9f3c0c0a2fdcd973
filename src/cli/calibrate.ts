import { randomInt } from "node:crypto";
import { calibrate } from "../compare/calibration.ts";
import { calibrationOf } from "../manifest/calibration.ts";
import { loadManifest } from "../manifest/load.ts";
import { loadPolicy } from "../manifest/policy.ts";
import { InputError } from "../problem.ts";
import { readRecords } from "../record/reader.ts";
import type { RecordSet } from "../record/record-set.ts";
import { renderCalibration } from "../report/calibration.ts";
import { confinementChoice, withContain, withExpose, type ContainOptions } from "./contain.ts";
import { adviceOnFailure } from "./ending.ts";
import type { Result } from "./exit-code.ts";
import { recordsPath, type Io } from "./io.ts";
import type { Command } from "./main.ts";
import { recordCohort, resultOf } from "./record-cohort.ts";
import { countOption, seedOption, seeds } from "./usage.ts";

interface CalibrateOptions extends ContainOptions {
  manifest: string;
  output?: string;
  records?: string;
  policy?: string;
  times?: unknown;
  seed?: unknown;
  json: boolean;
  quiet: boolean;
}

export const calibrateCommand: Command<CalibrateOptions> = {
  usage: "calibrate <manifest>",
  describe: "A/A: run both arms as the baseline, and see what would be decided about nothing",
  options: (parser) =>
    withExpose(withContain(parser))
      .positional("manifest", { type: "string", demandOption: true, describe: "The manifest, a JSON file" })
      .option("output", {
        alias: "o",
        type: "string",
        requiresArg: true,
        describe: "Write the records to this new file",
      })
      .option("records", {
        type: "string",
        requiresArg: true,
        describe: "Run nothing: these are the records of an earlier calibration",
      })
      .option("policy", {
        type: "string",
        requiresArg: true,
        describe: "Of a gate, to see how often it would be wrong",
      })
      .option("times", { requiresArg: true, describe: "How often labels are dealt out anew; default 1000" })
      .option("seed", { requiresArg: true, describe: "Of that; default: drawn" })
      .option("json", { type: "boolean", default: false, describe: "Print JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "No progress" }),
  async run(options, io) {
    const times = countOption("--times", options.times, 100_000) ?? 1000;
    const seed = seedOption("--seed", options.seed) ?? randomInt(seeds);
    const policy = options.policy === undefined ? null : await loadPolicy(options.policy);
    const { manifest } = await loadManifest(options.manifest);
    const calibration = calibrationOf(manifest);
    const gathered = await gather(options, calibration, io);
    if ("result" in gathered) return gathered.result;
    const [baseline, candidate] = calibration.arms;
    const question = { baseline: baseline.name, candidate: candidate.name, policy, times, seed };
    const onRelabeling = options.quiet ? undefined : progressOf(times, io);
    const found = calibrate(gathered.records, { ...question, onRelabeling });
    io.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : renderCalibration(found));
    return { kind: "done" };
  },
};

/** A line every few seconds, for those who wait. */
function progressOf(times: number, io: Io): (done: number) => void {
  let said = Date.now();
  return (done) => {
    if (Date.now() - said < 3000) return;
    said = Date.now();
    io.stderr.write(`labels dealt out ${done} of ${times} times\n`);
  };
}

/** Records of a whole A/A cohort, or how the command ends without them. */
async function gather(
  options: CalibrateOptions,
  manifest: ReturnType<typeof calibrationOf>,
  io: Io,
): Promise<{ records: RecordSet } | { result: Result }> {
  const { output, records: earlier, quiet, manifest: path } = options;
  if ((earlier === undefined) === (output === undefined)) {
    const message =
      earlier === undefined
        ? "is missing: attempts cost money, and their records are kept"
        : "cannot be combined with --records";
    throw new InputError({
      field: "--output",
      message,
      fix: "give a new file, or --records FILE of an earlier calibration",
    });
  }
  if (earlier !== undefined) {
    const records = await readRecords(recordsPath(earlier));
    const foreign = records.cohorts.find(({ cohort }) => cohort.cohort !== manifest.cohort);
    if (foreign === undefined) return { records };
    const message = "is not the calibration of this manifest";
    throw new InputError({
      file: earlier,
      line: foreign.line,
      field: "cohort.cohort",
      message,
      fix: "run it anew, with --output",
    });
  }
  const confinement = confinementChoice(options, output);
  const recorded = await recordCohort({ manifest, warnings: [], output, quiet, confinement }, io);
  if (recorded.records !== null) return { records: recorded.records };
  const advice = adviceOnFailure(recorded.end, path);
  if (advice !== null) io.stderr.write(`${advice}\n`);
  return { result: resultOf(recorded, io.interruption) };
}
