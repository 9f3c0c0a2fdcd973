import { InputError } from "../problem.ts";

/**
 * What yargs found wrong with the command line, in our words.
 * @param usages of all commands, each beginning with its name.
 */
export function usageError(found: string, argv: readonly string[], usages: readonly string[]): InputError {
  const command = argv.find((argument) => !argument.startsWith("-"));
  const usage = usages.find((one) => nameOf(one) === command);
  if (command === undefined || usage === undefined) {
    const fix = `the commands are ${usages.map(nameOf).join(", ")}; see harness-eval --help`;
    if (command === undefined) return new InputError({ message: "no command is given", fix });
    return new InputError({ value: command, message: "there is no such command", fix });
  }
  const fix = `see harness-eval ${command} --help`;
  const choice = /Argument: (.+), Given: (.+), Choices: (.+)/.exec(found);
  if (choice !== null) {
    const [, name, given, choices = ""] = choice;
    const message = `${given} is none of ${choices.replaceAll('"', "")}`;
    return new InputError({ field: `--${name}`, message, fix });
  }
  const unknown = /^Unknown arguments?: (.+)$/.exec(found);
  if (unknown !== null) return new InputError({ message: `Unknown: ${asTyped(unknown[1] ?? "", argv)}`, fix });
  if (found.startsWith("Not enough non-option")) return new InputError({ message: `Not enough for: ${usage}`, fix });
  return new InputError({ message: found.replace(/\.?\s*$/, ""), fix });
}

function nameOf(usage: string): string {
  return usage.replace(/ .*/, "");
}

/** yargs names an option with a dash in it a second time, in camel case. */
function asTyped(names: string, argv: readonly string[]): string {
  const typed = argv.map((argument) => argument.replace(/=.*/s, ""));
  const found = names.split(", ").flatMap((name) => typed.filter((word) => word.replace(/^-+/, "") === name));
  return [...new Set(found)].join(", ") || names;
}

/** The value of an option that takes a number. yargs leaves what is none as it was typed, so that it can be shown. */
export function numberOption(
  field: string,
  value: unknown,
  { fits, message }: { fits: (value: number) => boolean; message: string },
): number | undefined {
  if (value === undefined || (typeof value === "number" && fits(value))) return value;
  throw new InputError({ field, value, message });
}

/** A whole number of 1 or more. */
export function countOption(field: string, value: unknown, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const fits = (number: number): boolean => Number.isSafeInteger(number) && number >= 1 && number <= most;
  const words = most === Number.MAX_SAFE_INTEGER ? "of 1 or more" : `from 1 to ${most}`;
  return numberOption(field, value, { fits, message: `must be a whole number ${words}` });
}

/** A number above 0. */
export function amountOption(field: string, value: unknown): number | undefined {
  const fits = (number: number): boolean => Number.isFinite(number) && number > 0;
  return numberOption(field, value, { fits, message: "must be a number above 0" });
}

/** Seeds are below this. */
export const seeds = 2 ** 32;

export function seedOption(field: string, value: unknown): number | undefined {
  const fits = (number: number): boolean => Number.isSafeInteger(number) && number >= 0 && number < seeds;
  return numberOption(field, value, { fits, message: "must be a whole number below 2^32" });
}
