import { unsetVariables } from "../attempt/environment.ts";
import { tryAttempt } from "../attempt/try.ts";
import { loadManifest } from "../manifest/load.ts";
import { InputError, type Warning } from "../problem.ts";
import { confinementChoice, withContain, withExpose, type ContainOptions } from "./contain.ts";
import type { Command } from "./main.ts";

interface TryOptions extends ContainOptions {
  manifest: string;
  task: string;
  arm: string;
}

export const tryCommand: Command<TryOptions> = {
  usage: "try <manifest>",
  describe: "Run one attempt in the foreground and keep its workspace; nothing is recorded",
  options: (parser) =>
    withExpose(withContain(parser))
      .positional("manifest", { type: "string", demandOption: true, describe: "The manifest, a JSON file" })
      .option("task", { type: "string", demandOption: true, describe: "Id of the task" })
      .option("arm", { type: "string", demandOption: true, describe: "Name of the arm" }),
  async run(options, io) {
    const { manifest, warnings } = await loadManifest(options.manifest);
    const task = indexOf(
      "--task",
      options.task,
      manifest.tasks.map(({ id }) => id),
    );
    const arm = indexOf(
      "--arm",
      options.arm,
      manifest.arms.map(({ name }) => name),
    );
    const say = (text: string): void => void io.stderr.write(`${text}\n`);
    const warn = ({ message }: Warning): void => say(`warning: ${message}`);
    [...warnings, ...unsetVariables(manifest, io.env)].forEach(warn);
    io.closeInherited();
    const end = await tryAttempt({
      manifest,
      env: io.env,
      confinement: confinementChoice(options),
      signal: io.interruption,
      task,
      arm: arm === 0 ? 0 : 1,
      watch: (chunk) => void io.stdout.write(chunk),
      onWarning: warn,
    });
    if (end.kind === "not-started") {
      say(`not started: ${end.reason}`);
    } else {
      const { outcome, verified, elapsedMs, exitCode, signal, oracle, metricsStatus, leftoverProcesses } = end.run;
      say(`outcome ${outcome}, exit code ${exitCode ?? "none"}${signal ? `, ended by ${signal}` : ""}`);
      say(`verified ${verified}, oracle ${oracle ?? "not run"}, ${Math.round(elapsedMs)} ms`);
      say(`metrics ${metricsStatus}, processes left behind ${leftoverProcesses}`);
      if (oracle === "failed") say(`to see why: node --input-type=module -e "$(cat ORACLE_FILE)" "${end.workspace}"`);
    }
    say(`workspace kept: ${end.workspace}`);
    if (io.interruption.aborted) return { kind: "interrupted", signal: String(io.interruption.reason) };
    return end.kind === "not-started" ? { kind: "incomplete" } : { kind: "done" };
  },
};

function indexOf(field: string, value: string, known: readonly string[]): number {
  const index = known.indexOf(value);
  if (index >= 0) return index;
  throw new InputError({
    field,
    value,
    message: "not in the manifest",
    fix: `use one of ${known.slice(0, 20).join(", ")}`,
  });
}
