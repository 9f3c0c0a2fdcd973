import type { Agent } from "./agent.ts";
import { axCode } from "./ax-code.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";

/** Every CLI that a manifest can name in `agent`. */
export const agents = { "ax-code": axCode, opencode, pi } as const satisfies Record<string, Agent>;

export type AgentName = keyof typeof agents;
