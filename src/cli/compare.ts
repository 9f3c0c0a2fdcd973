import { compare } from "../compare/comparison.ts";
import { readRecords } from "../record/reader.ts";
import { renderJson } from "../report/json.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { renderTable } from "../report/table.ts";
import type { Comparison } from "../compare/comparison.ts";
import { recordsPath, type Io } from "./io.ts";
import type { Command } from "./main.ts";
import { numberOption } from "./usage.ts";

const formats = ["json", "table", "markdown"] as const;

interface CompareOptions {
  records: string;
  baseline: string;
  candidate: string;
  margin?: unknown;
  format?: (typeof formats)[number];
}

export const compareCommand: Command<CompareOptions> = {
  usage: "compare <records> <baseline> <candidate>",
  describe: "Compare two arms of recorded runs, pair by pair",
  options: (parser) =>
    parser
      .positional("records", {
        type: "string",
        demandOption: true,
        describe: "What `run` wrote; - is standard input",
      })
      .positional("baseline", { type: "string", demandOption: true, describe: "Name of the baseline arm" })
      .positional("candidate", { type: "string", demandOption: true, describe: "Name of the candidate arm" })
      .option("margin", {
        requiresArg: true,
        describe: "Smallest loss of success that would matter, 0 to 1; default: the manifest's",
      })
      .option("format", { choices: formats, describe: "Default: table on a terminal, else json" }),
  async run(options, io) {
    const margin = numberOption("--margin", options.margin, {
      fits: (value) => value >= 0 && value <= 1,
      message: "must be a number from 0 to 1",
    });
    const records = await readRecords(recordsPath(options.records));
    const comparison = compare(records, options.baseline, options.candidate, { margin });
    io.stdout.write(render(comparison, options.format ?? (io.stdout.isTTY === true ? "table" : "json"), io));
    return { kind: "done" };
  },
};

function render(comparison: Comparison, format: (typeof formats)[number], io: Io): string {
  switch (format) {
    case "json":
      return renderJson(comparison);
    case "markdown":
      return renderMarkdown(comparison);
    case "table":
      return renderTable(comparison, { width: io.stdout.columns ?? 80, color: usesColor(io) });
  }
}

function usesColor({ env, stdout }: Io): boolean {
  return stdout.isTTY === true && (env.NO_COLOR ?? "") === "";
}
