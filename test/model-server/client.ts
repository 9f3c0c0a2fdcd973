import { onTestFinished } from "vitest";
import type { Respond, Usage } from "../../script/model-server/model.ts";
import { startModelServer, type ModelServer } from "../../script/model-server/server.ts";

export const noUsage: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };

/** A server that is closed after the test. */
export async function serve(respond: Respond): Promise<ModelServer> {
  const server = await startModelServer({ respond });
  onTestFinished(() => server.close());
  return server;
}

export function post(server: ModelServer, body: unknown): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** A request as a CLI sends it, with the given conversation. */
export function asking(...messages: unknown[]) {
  return { model: "m", stream: true, stream_options: { include_usage: true }, messages };
}

/** The data of server-sent events, in order. */
export async function eventsOf(response: Response): Promise<string[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => block.replace(/^data: /, ""));
}

export interface Chunk {
  model: string;
  choices: { delta: Delta; finish_reason: string | null }[];
  usage?: unknown;
}

interface Delta {
  content?: string;
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
}

export function chunksOf(events: string[]): Chunk[] {
  return events.filter((event) => event !== "[DONE]").map((event) => JSON.parse(event) as Chunk);
}
