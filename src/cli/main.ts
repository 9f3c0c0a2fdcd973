import yargs, { type Argv } from "yargs";
import { InputError } from "../problem.ts";
import { OutputClosedError } from "../record/writer.ts";
import { calibrateCommand } from "./calibrate.ts";
import { compareCommand } from "./compare.ts";
import { exitCode, type Result } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { gateCommand } from "./gate.ts";
import { planCommand } from "./plan.ts";
import { runCommand } from "./run.ts";
import { schemaCommand } from "./schema.ts";
import { tryCommand } from "./try.ts";
import { validateCommand } from "./validate.ts";
import { usageError } from "./usage.ts";
import { harnessVersion } from "./version.ts";

/**
 * One subcommand: its words and options for yargs, and what it does.
 * `run` reports what the user must know on `io.stderr` itself; it throws InputError for input that cannot be used.
 */
export interface Command<Options> {
  usage: string;
  describe: string;
  options(parser: Argv): Argv<Options>;
  run(options: Options, io: Io): Promise<Result>;
}

/** The whole program: argv (without node and script) to exit code. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  return exitCode(await resultOf(argv, io));
}

async function resultOf(argv: readonly string[], io: Io): Promise<Result> {
  try {
    if (io.platform === "win32") {
      throw new InputError({
        message: "Windows is not supported: process groups and signals differ",
        fix: "use WSL 2",
      });
    }
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof InputError) {
      io.stderr.write(`${error.message}\n`);
      return { kind: "invalid-input" };
    }
    if (error instanceof OutputClosedError) {
      io.stderr.write(`${error.message}\n`);
      return { kind: "incomplete" };
    }
    const stack = error instanceof Error ? error.stack : String(error);
    io.stderr.write(`This is a bug in harness-eval ${harnessVersion}; please report it:\n${stack}\n`);
    return { kind: "bug" };
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<Result> {
  let result: Result = { kind: "done" };
  const usages: string[] = [];
  const register = <Options>(parser: Argv, command: Command<Options>) => {
    usages.push(command.usage);
    return parser.command(
      command.usage,
      command.describe,
      (builder) => command.options(builder),
      async (options) => {
        result = await command.run(revealed(options) as Options, io);
      },
    );
  };
  let parser: Argv = yargs()
    .scriptName("harness-eval")
    .usage("$0 COMMAND\n\nDid this change make the coding agent better? Paired, oracle-judged evaluation.")
    .version(harnessVersion)
    .help()
    .alias("help", "h")
    .strict()
    .demandCommand(1)
    .parserConfiguration({ "duplicate-arguments-array": false })
    .exitProcess(false)
    .wrap(io.stdout.isTTY === true ? Math.min(io.stdout.columns ?? 80, 100) : 80)
    .fail((message: string | null, error: Error | undefined) => {
      // yargs reports its own findings as a message and what a command threw as an error.
      throw error instanceof Error && message === null ? error : usageError(message ?? String(error), argv, usages);
    });
  parser = register(parser, runCommand);
  parser = register(parser, tryCommand);
  parser = register(parser, compareCommand);
  parser = register(parser, gateCommand);
  parser = register(parser, validateCommand);
  parser = register(parser, planCommand);
  parser = register(parser, calibrateCommand);
  parser = register(parser, schemaCommand);
  await parser.parseAsync(disguised(argv), {}, (_error: unknown, _options: unknown, output: string) => {
    if (output !== "") io.stdout.write(`${output}\n`);
  });
  return result;
}

/**
 * yargs takes no positional argument that begins with `-`, not even after `--`: names may begin so, and `-` is standard input. A NUL,
 * which no argument holds, hides the `-` until its checks are done.
 */
function disguised(argv: readonly string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const hide = (argument: string) => (argument.startsWith("-") ? `\0${argument}` : argument);
  const options = argv.slice(0, end).map((argument) => (argument === "-" ? hide(argument) : argument));
  return [...options, ...argv.slice(end + 1).map(hide)];
}

function revealed(options: object): object {
  const entries = Object.entries(options as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value.replace(/^\0-/, "-") : value]),
  );
}
