import { isObject } from "./merge.ts";

type Environment = Readonly<Record<string, string>>;

/** The configuration that the variable already holds: empty when it is not set, null when it is not a JSON object. */
export function inlineConfig(env: Environment, variable: string): Readonly<Record<string, unknown>> | null {
  const text = env[variable] ?? "";
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Why the arm's configuration cannot be merged into the variable's; never with its value, which may hold credentials. */
export function inlineConfigRefusals(env: Environment, variable: string): string[] {
  if (inlineConfig(env, variable) !== null) return [];
  return [`the environment's ${variable} is not a JSON object, so nothing can be merged into it; correct or unset it`];
}
