import { writeFile } from "node:fs/promises";
import { evaluateGate, type GateDecision } from "../compare/gate.ts";
import { loadPolicy, type Policy } from "../manifest/policy.ts";
import { InputError } from "../problem.ts";
import { readRecords } from "../record/reader.ts";
import { gateAnnotation, gateLine, gateOutcome, gateSummary } from "../report/gate.ts";
import { renderJson } from "../report/json.ts";
import { renderJunit } from "../report/junit.ts";
import type { Result } from "./exit-code.ts";
import { recordsPath, type Io } from "./io.ts";
import type { Command } from "./main.ts";

interface GateOptions {
  records: string;
  baseline: string;
  candidate: string;
  policy: string;
  junit?: string;
  summary?: string;
  json: boolean;
}

export const gateCommand: Command<GateOptions> = {
  usage: "gate <records> <baseline> <candidate>",
  describe: "Decide for CI: exit 0 passed, 1 decided against the candidate, 3 undecided",
  options: (parser) =>
    parser
      .positional("records", { type: "string", demandOption: true, describe: "What `run` wrote; - is standard input" })
      .positional("baseline", { type: "string", demandOption: true, describe: "Name of the baseline arm" })
      .positional("candidate", { type: "string", demandOption: true, describe: "Name of the candidate arm" })
      .option("policy", {
        type: "string",
        demandOption: true,
        requiresArg: true,
        describe: "What is asked: a JSON file",
      })
      .option("junit", { type: "string", requiresArg: true, describe: "Write JUnit XML to this file" })
      .option("summary", {
        type: "string",
        requiresArg: true,
        describe: "Write Markdown to this file; $GITHUB_STEP_SUMMARY is appended to",
      })
      .option("json", { type: "boolean", default: false, describe: "Print the whole decision as JSON" }),
  async run(options, io) {
    const policy = await loadPolicy(options.policy);
    const records = await readRecords(recordsPath(options.records));
    const gate = evaluateGate(records, options.baseline, options.candidate, policy);
    await writeReports(gate, policy, options, io);
    if (io.env.GITHUB_ACTIONS === "true") io.stderr.write(`${gateAnnotation(gate, policy)}\n`);
    io.stdout.write(options.json ? renderJson(gate) : `${gateLine(gate, policy)}\n`);
    return resultOf(gate, policy);
  },
};

async function writeReports(gate: GateDecision, policy: Policy, { junit, summary }: GateOptions, { env }: Io) {
  if (junit !== undefined) await write("--junit", junit, renderJunit(gate, policy), "w");
  if (summary === undefined) return;
  // Other steps of the job may have written there already.
  await write("--summary", summary, gateSummary(gate, policy), summary === env.GITHUB_STEP_SUMMARY ? "a" : "w");
}

async function write(field: string, path: string, text: string, flag: "w" | "a"): Promise<void> {
  try {
    await writeFile(path, text, { flag });
  } catch (error) {
    const message = `cannot be written (${(error as NodeJS.ErrnoException).code})`;
    throw new InputError({ field, value: path, message, fix: "name a file in a folder that is there" });
  }
}

function resultOf(gate: GateDecision, policy: Policy): Result {
  switch (gateOutcome(gate, policy)) {
    case "pass":
      return { kind: "done" };
    case "fail":
      return { kind: "gate-failed" };
    case "undecided":
      return { kind: "gate-undecided" };
  }
}
