import type { Agent, InvocationInput } from "./agent.ts";
import { InputError } from "../problem.ts";

type Asked = Parameters<Agent["refuses"]>[0];

/** Why the prompt cannot be one unchanged argument of any program. */
export function promptRefusals(prompt: string): string[] {
  if (prompt.includes("\0")) return ["the prompt holds a NUL character, which no argument can carry"];
  if (/\p{Surrogate}/u.test(prompt)) return ["the prompt holds half of a surrogate pair, which no argument can carry"];
  return [];
}

/** What a manifest can ask of ax-code only, as refusals of the CLI named. */
export function axCodeOnlyRefusals(name: string, asked: Asked): string[] {
  const features = Object.keys(asked.features).filter((feature) => asked.features[feature]);
  return [
    ...features.map((feature) => `${name} has no feature ${feature}, only ax-code has; take it out of \`features\``),
    ...(asked.toolProfile === undefined
      ? []
      : [`${name} has no tool profiles, only ax-code has; leave \`toolProfile\` out`]),
    ...(asked.autonomous === undefined
      ? []
      : [`${name} has no \`autonomous\` mode to set, only ax-code has; leave it out`]),
    ...(asked.sandbox === "workspace-write"
      ? []
      : [`${name} has no sandbox, so \`sandbox\` cannot be ${asked.sandbox}; leave it out`]),
  ];
}

/** @throws InputError when the agent refuses the input, so that no wrong invocation is ever made. */
export function assertNotRefused(agent: Agent, input: InvocationInput): void {
  const clauses = agent.refuses(input);
  if (clauses.length > 0) throw new InputError(clauses.map((message) => ({ message })));
}
