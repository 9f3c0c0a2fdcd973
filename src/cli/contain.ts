import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Argv } from "yargs";
import { containments, type ConfinementChoice, type Containment } from "../attempt/confinement.ts";
import { InputError } from "../problem.ts";

export interface ContainOptions {
  contain: string;
  expose?: string | string[];
}

export function withContain<Options>(parser: Argv<Options>) {
  return parser.option("contain", {
    choices: containments,
    default: containments[0],
    requiresArg: true,
    describe: "Sandboxes for agents and oracles: where they can be made, always, or never",
  });
}

export function withExpose<Options>(parser: Argv<Options>) {
  return parser.option("expose", {
    type: "string",
    requiresArg: true,
    describe: "Let the agents read this path, though it lies beside the manifest; may be repeated",
  });
}

/**
 * @param written paths of what the command writes, which no agent may read.
 * @throws InputError for a path that does not exist.
 */
export function confinementChoice(
  { contain, expose }: ContainOptions,
  ...written: (string | undefined)[]
): ConfinementChoice {
  const exposed = [expose ?? []].flat().map((path) => resolve(path));
  const missing = exposed.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new InputError({ field: "--expose", value: missing, message: "there is no such path" });
  const own = written.filter((path) => path !== undefined).map((path) => resolve(path));
  return { wanted: contain as Containment, written: own, exposed };
}
