import { readdirSync, readFileSync } from "node:fs";
import type { AgentReport } from "../../src/agent/agent.ts";
import { agents, type AgentName } from "../../src/agent/registry.ts";

const folder = new URL("../streams/", import.meta.url);

/** Every recorded stream, as `ax-code/ok`. */
export const streamNames = (Object.keys(agents) as AgentName[]).flatMap((agent) =>
  readdirSync(new URL(`${agent}/`, folder))
    .sort()
    .map((file) => `${agent}/${file.replace(".ndjson", "")}`),
);

export function agentOf(stream: string): AgentName {
  return stream.slice(0, stream.indexOf("/")) as AgentName;
}

export function linesOf(stream: string): string[] {
  const text = readFileSync(new URL(`${stream}.ndjson`, folder), "utf8");
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** What the agent's reader makes of the lines; `null` stands for a line that could not be read. */
export function replay(agent: AgentName, lines: readonly (string | null)[], whole = true): AgentReport {
  const reader = agents[agent].reader();
  for (const line of lines) {
    if (line === null) reader.damaged();
    else reader.line(line);
  }
  return reader.report(whole);
}
