import { z } from "zod";
import type { Agent, EventReader } from "./agent.ts";
import type { Usage } from "./counters.ts";
import { eventReader } from "./events.ts";
import { isObject } from "./merge.ts";
import { assertNotRefused, axCodeOnlyRefusals, promptRefusals } from "./refusals.ts";

const quiet = { PI_OFFLINE: "1", PI_TELEMETRY: "0" };

/** pi (@mariozechner/pi-coding-agent), print mode; docs/agents.md has the facts. */
export const pi: Agent = {
  name: "pi",
  defaultCommand: ["pi"],
  // pi prints its version on standard error where standard input is no terminal, so it is not asked.
  reservedVariables: Object.keys(quiet),
  homeVariables: ["PI_CODING_AGENT_DIR"],
  reader: piReader,
  invoke(input) {
    assertNotRefused(pi, input);
    const { command, prompt } = input;
    const { provider, model } = modelOf(input.model);
    const alone = ["--no-session", "--no-extensions", "--no-prompt-templates", "--offline"];
    // Only as the value of -p can a prompt begin with `---`.
    const flags = ["--mode", "json", ...alone, "--provider", provider, "--model", model, "-p", prompt];
    return { argv: [...command, ...flags], env: { ...input.env, ...quiet } };
  },
  refuses(asked) {
    const { provider, model } = modelOf(asked.model);
    return [
      ...promptRefusals(asked.prompt),
      ...(asked.prompt === "" ? ["pi sends nothing for an empty prompt"] : []),
      ...(/^(@|-(?!--))/.test(asked.prompt)
        ? [
            "pi takes a prompt that begins with `@` for a file and one that begins with `-` (but not `---`) for an option",
          ]
        : []),
      ...(provider === "" || model === "" ? ["pi needs `model` as provider/model"] : []),
      ...(asked.config === undefined
        ? []
        : ["pi takes no inline configuration to merge `config` into; leave it out, or vary `files` or `env`"]),
      ...axCodeOnlyRefusals("pi", asked),
    ];
  },
};

/** pi cuts a leading `PROVIDER/` off the model, so a model whose own name begins so is given with it. */
function modelOf(reference: string): { provider: string; model: string } {
  const slash = reference.indexOf("/");
  const provider = reference.slice(0, Math.max(slash, 0));
  const name = reference.slice(slash + 1);
  return { provider, model: name.startsWith(`${provider}/`) ? reference : name };
}

const count = z.int().nonnegative();

const AssistantMessage = z.object({
  stopReason: z.string(),
  usage: z
    .object({
      input: count,
      output: count,
      cacheRead: count.optional(),
      cacheWrite: count.optional(),
      cost: z.object({ total: z.number().nonnegative() }).optional(),
    })
    .optional(),
});

const ToolEnd = z.object({ isError: z.boolean() });

/**
 * Reads pi's session events. A request's usage stands in the `message_end` of the assistant's message and is repeated in
 * other events, which are not counted. pi exits 0 after a provider error, so the last assistant message decides.
 */
function piReader(): EventReader {
  let failed = false;
  let stopReason = "";
  return eventReader(
    (event, counters) => {
      switch (event.type) {
        case "session":
          return counters.session(event.id);
        case "message_end": {
          if (!isObject(event.message)) return counters.damage();
          if (event.message.role !== "assistant") return;
          const message = AssistantMessage.safeParse(event.message);
          if (!message.success) return counters.damage();
          stopReason = message.data.stopReason;
          failed = ["error", "aborted"].includes(stopReason);
          const usage = usageOf(message.data.usage);
          // A request that broke off before its usage came is not one that used nothing.
          if (usage !== null || !failed) counters.step(usage ?? {});
          return;
        }
        case "tool_execution_end": {
          const end = ToolEnd.safeParse(event);
          return end.success ? counters.tool(end.data.isError) : counters.damage();
        }
      }
    },
    // pi states the status in a message for people only.
    () => ({ failed, ...(stopReason === "error" ? { fault: "provider" } : {}) }),
  );
}

/** null where pi states no usage, or all zeros, its way to say that the provider told none. */
function usageOf(stated: z.infer<typeof AssistantMessage>["usage"]): Usage | null {
  if (stated === undefined) return null;
  const { input, output, cacheRead, cacheWrite, cost } = stated;
  if (input + output + (cacheRead ?? 0) + (cacheWrite ?? 0) === 0) return null;
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    costUsd: cost?.total,
  };
}
