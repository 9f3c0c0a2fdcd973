import { validateTasks } from "../attempt/validate.ts";
import { loadManifest } from "../manifest/load.ts";
import { renderValidation } from "../report/validation.ts";
import { confinementChoice, withContain, type ContainOptions } from "./contain.ts";
import type { Command } from "./main.ts";
import { countOption } from "./usage.ts";

interface ValidateOptions extends ContainOptions {
  manifest: string;
  times?: unknown;
  json: boolean;
  quiet: boolean;
}

export const validateCommand: Command<ValidateOptions> = {
  usage: "validate <manifest>",
  describe: "Show every oracle what it must refuse, and the solution; no agent is started",
  options: (parser) =>
    withContain(parser)
      .positional("manifest", { type: "string", demandOption: true, describe: "The manifest, a JSON file" })
      .option("times", {
        requiresArg: true,
        describe: "Runs of each control, to find what is right by chance; default 1",
      })
      .option("json", { type: "boolean", default: false, describe: "Print JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "No progress" }),
  async run(options, io) {
    const times = countOption("--times", options.times, 1000) ?? 1;
    const { manifest, warnings } = await loadManifest(options.manifest);
    const say = (text: string): void => void io.stderr.write(`${text}\n`);
    warnings.forEach((warning) => say(`warning: ${warning.message}`));
    const onTask = (done: number, total: number): void => {
      if (!options.quiet) say(`task ${done} of ${total}: ${manifest.tasks[done - 1]?.id}`);
    };
    const confinement = confinementChoice(options);
    io.closeInherited();
    const tasks = await validateTasks({ manifest, env: io.env, confinement, signal: io.interruption, times, onTask });
    if (tasks === null) return { kind: "interrupted", signal: String(io.interruption.reason) };
    io.stdout.write(
      options.json ? `${JSON.stringify({ schemaVersion: 1, times, tasks }, null, 2)}\n` : renderValidation(tasks),
    );
    const isWrong = tasks.some(({ controls }) =>
      controls.some(({ status }) => status === "wrong" || status === "flaky"),
    );
    return isWrong ? { kind: "invalid-input" } : { kind: "done" };
  },
};
