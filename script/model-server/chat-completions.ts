import { z } from "zod";
import type { Message, ModelRequest, Protocol, ToolCall, Usage } from "./model.ts";

const Content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() })), z.null()])
  .optional();

const Arguments = z.string().transform((text, context): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    context.addIssue({ code: "custom", message: "arguments of a tool call that are not JSON" });
    return z.NEVER;
  }
});

const WireCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: Arguments }) });

const WireMessage = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer"]), content: Content }),
  z.looseObject({ role: z.literal("user"), content: Content }),
  z.looseObject({ role: z.literal("assistant"), content: Content, tool_calls: z.array(WireCall).optional() }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content: Content }),
]);

const WireRequest = z.looseObject({ model: z.string(), stream: z.literal(true), messages: z.array(WireMessage) });

/**
 * OpenAI's chat completions, streamed as server-sent events: one chunk a piece, then the finish reason, then the usage
 * with an empty list of choices, then `[DONE]`.
 * Source: https://platform.openai.com/docs/api-reference/chat-streaming
 */
export const chatCompletions: Protocol = {
  path: "/v1/chat/completions",

  read(body) {
    const parsed = WireRequest.safeParse(body);
    if (!parsed.success) return null;
    const { model, messages } = parsed.data;
    const instructions = messages.filter(({ role }) => role === "system" || role === "developer");
    return {
      model,
      system: instructions.map(({ content }) => textOf(content)).join("\n\n"),
      messages: messages.flatMap(messageOf),
    };
  },

  stream(reply, request) {
    const event = eventsFor(request);
    const delta = reply.kind === "text" ? [{ content: reply.text }] : reply.calls.flatMap(callDeltas);
    return [
      event({ choices: [choice({ role: "assistant" })] }),
      ...delta.map((part) => event({ choices: [choice(part)] })),
      event({ choices: [choice({}, reply.kind === "text" ? "stop" : "tool_calls")] }),
      event({ choices: [], usage: wireUsage(reply.usage) }),
      "data: [DONE]\n\n",
    ];
  },

  beginning(text, request) {
    const event = eventsFor(request);
    return [event({ choices: [choice({ role: "assistant" })] }), event({ choices: [choice({ content: text })] })];
  },

  error: (status) => ({ error: { message: "Scripted error", type: "scripted_error", code: String(status) } }),
};

function messageOf(message: z.infer<typeof WireMessage>): Message[] {
  const text = textOf(message.content);
  switch (message.role) {
    case "system":
    case "developer":
      return [];
    case "user":
      return [{ role: "user", text }];
    case "tool":
      return [{ role: "tool", callID: message.tool_call_id, text }];
    case "assistant":
      return [{ role: "assistant", text, toolCalls: (message.tool_calls ?? []).map(toolCallOf) }];
  }
}

function toolCallOf(call: z.infer<typeof WireCall>): ToolCall {
  return { id: call.id, name: call.function.name, arguments: call.function.arguments };
}

function textOf(content: z.infer<typeof Content>): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

function eventsFor(request: ModelRequest): (fields: Record<string, unknown>) => string {
  const common = { id: "chatcmpl-scripted", object: "chat.completion.chunk", created: 0, model: request.model };
  return (fields) => `data: ${JSON.stringify({ ...common, ...fields })}\n\n`;
}

function choice(delta: Record<string, unknown>, finishReason: string | null = null) {
  return { index: 0, delta, finish_reason: finishReason };
}

/** The name first, then the arguments in two pieces, as providers send them. */
function callDeltas(call: ToolCall, index: number): Record<string, unknown>[] {
  const text = JSON.stringify(call.arguments);
  const half = Math.ceil(text.length / 2);
  const start = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
  const pieces = [text.slice(0, half), text.slice(half)].map((piece) => ({ index, function: { arguments: piece } }));
  return [start, ...pieces].map((part) => ({ tool_calls: [part] }));
}

function wireUsage({ prompt, cached, completion, reasoning }: Usage) {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
