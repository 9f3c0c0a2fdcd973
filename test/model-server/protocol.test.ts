import { expect, test } from "vitest";
import type { ModelRequest } from "../../script/model-server/model.ts";
import { asking, chunksOf, eventsOf, noUsage, post, serve } from "./client.ts";

const user = {
  role: "user",
  content: [
    { type: "text", text: "Fix " },
    { type: "text", text: "it" },
  ],
};

test("a text comes as chunks, then the finish reason, the usage and the end", async () => {
  const usage = { prompt: 120, cached: 40, completion: 15, reasoning: 5 };
  const server = await serve(() => ({ kind: "text", text: "Done: ✓\n\n", usage }));
  const response = await post(server, asking(user));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = await eventsOf(response);
  expect(events.at(-1)).toBe("[DONE]");
  const chunks = chunksOf(events);
  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("Done: ✓\n\n");
  expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
  expect(chunks.every((chunk) => chunk.model === "m")).toBe(true);
  expect(chunks.filter((chunk) => chunk.usage !== undefined)).toEqual([
    expect.objectContaining({
      choices: [],
      usage: {
        prompt_tokens: 120,
        completion_tokens: 15,
        total_tokens: 135,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
    }),
  ]);
});

test("tool calls come in pieces that add up to their arguments, each under its own index", async () => {
  const calls = [
    { id: "call_a", name: "read", arguments: { path: "src/ä.js" } },
    { id: "call_b", name: "bash", arguments: { command: 'echo "\\n"' } },
  ];
  const server = await serve(() => ({ kind: "toolCalls", calls, usage: noUsage }));
  const chunks = chunksOf(await eventsOf(await post(server, asking(user))));
  const joined = new Map<number, { id: string; name: string; text: string }>();
  for (const part of chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])) {
    const call = joined.get(part.index) ?? { id: part.id ?? "", name: part.function.name ?? "", text: "" };
    joined.set(part.index, { ...call, text: call.text + part.function.arguments });
  }
  const received = [...joined.values()].map(({ text, ...call }) => ({
    ...call,
    arguments: JSON.parse(text) as unknown,
  }));
  expect(received).toEqual(calls);
  expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(["tool_calls"]);
});

test("the model sees the instructions apart from the conversation, and its own tool calls", async () => {
  const seen: ModelRequest[] = [];
  const server = await serve((request) => {
    seen.push(request);
    return { kind: "text", text: "ok", usage: noUsage };
  });
  await post(
    server,
    asking(
      { role: "system", content: "Be brief." },
      { role: "developer", content: "Be kind." },
      user,
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a.js"}' } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "text of a.js" },
    ),
  );
  expect(seen).toEqual([
    {
      model: "m",
      system: "Be brief.\n\nBe kind.",
      messages: [
        { role: "user", text: "Fix it" },
        { role: "assistant", text: "", toolCalls: [{ id: "call_1", name: "read", arguments: { path: "a.js" } }] },
        { role: "tool", callID: "call_1", text: "text of a.js" },
      ],
    },
  ]);
});

test.each([
  ["no JSON", "{"],
  ["another protocol", { model: "m", input: "Fix it", stream: true }],
  ["a request without streaming", { ...asking(user), stream: false }],
  [
    "arguments that are not JSON",
    asking({ role: "assistant", tool_calls: [{ id: "1", function: { name: "read", arguments: "{" } }] }),
  ],
])("%s is answered with 400 and never reaches the model", async (_, body) => {
  const server = await serve(() => ({ kind: "text", text: "ok", usage: noUsage }));
  const response = await post(server, body);
  expect([response.status, server.requests]).toEqual([400, 0]);
});
