import { z } from "zod";
import type { EventReader } from "./agent.ts";
import { eventReader, providerFault } from "./events.ts";

const partID = z.string().min(1).max(300);
const count = z.int().nonnegative();

const StepFinishPart = z.object({
  id: partID,
  type: z.literal("step-finish"),
  tokens: z.object({
    input: count,
    output: count,
    reasoning: count.optional(),
    cache: z.object({ read: count.optional(), write: count.optional() }).optional(),
  }),
  cost: z.number().nonnegative().optional(),
});

const ToolPart = z.object({
  id: partID,
  type: z.literal("tool"),
  state: z.object({ status: z.enum(["pending", "running", "completed", "error"]) }),
});

const ApiError = z.object({ name: z.literal("APIError"), data: z.object({ statusCode: z.unknown() }) });

/**
 * Reads the events that ax-code and opencode share: `step_finish` ends a model request, `tool_use` a tool call.
 * `input` is without cache. Whether `output` holds the reasoning is the CLI's own affair and left as it is
 * (docs/agents.md says why). A known event whose part is not as documented is damage.
 */
export function stepEventReader(): EventReader {
  let fault: string | undefined;
  const onEvent: Parameters<typeof eventReader>[0] = (event, counters) => {
    counters.session(event.sessionID);
    switch (event.type) {
      case "error": {
        const error = ApiError.safeParse(event.error);
        fault = error.success ? providerFault(error.data.data.statusCode) : undefined;
        return;
      }
      case "step_finish": {
        const part = StepFinishPart.safeParse(event.part);
        if (!part.success) return counters.damage();
        const { id, tokens, cost } = part.data;
        const { input: inputTokens, output: outputTokens, reasoning: reasoningTokens, cache } = tokens;
        const [cacheReadTokens, cacheWriteTokens] = [cache?.read, cache?.write];
        const usage = { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens, costUsd: cost };
        return counters.step(usage, id);
      }
      case "tool_use": {
        const part = ToolPart.safeParse(event.part);
        if (!part.success) return counters.damage();
        const { id, state } = part.data;
        if (state.status === "completed" || state.status === "error") counters.tool(state.status === "error", id);
        return;
      }
    }
  };
  return eventReader(onEvent, () => ({ fault }));
}
