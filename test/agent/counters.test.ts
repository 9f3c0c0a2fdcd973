import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentReport } from "../../src/agent/agent.ts";
import { agents, type AgentName } from "../../src/agent/registry.ts";
import { replay } from "./replay.ts";

const tokens = { input: 10, output: 3, reasoning: 2, cache: { read: 5, write: 0 } };

function step(id: unknown, changes: object = {}, part: object = {}): string {
  return JSON.stringify({
    type: "step_finish",
    sessionID: "ses_1",
    part: { id, type: "step-finish", tokens: { ...tokens, ...changes }, ...part },
  });
}

function tool(id: unknown, status: unknown = "completed"): string {
  return JSON.stringify({
    type: "tool_use",
    sessionID: "ses_1",
    part: { id, type: "tool", tool: "read", state: { status } },
  });
}

const partial = { metricsStatus: "partial", sessionID: "ses_1", selfReportedFailure: false };
const unavailable = { metricsStatus: "unavailable", sessionID: "ses_1", selfReportedFailure: false };

describe.each(["ax-code", "opencode"] as const)("step events of %s", (agent) => {
  const read = (...lines: (string | null)[]) => replay(agent, lines);

  test("equal repeats of a part count once, whatever else of the part differs", () => {
    const report = read(step("a"), tool("t", "error"), step("a", {}, { reason: "stop", time: 7 }), tool("t", "error"));
    expect(report).toEqual({
      metricsStatus: "observed",
      inputTokens: 10,
      outputTokens: 3,
      reasoningTokens: 2,
      cacheReadTokens: 5,
      steps: 1,
      toolCalls: 1,
      toolErrors: 1,
      sessionID: "ses_1",
      selfReportedFailure: false,
    });
  });

  test("a repeat that differs in a counted field withholds the totals", () => {
    expect(read(step("a"), step("a", { input: 11 }))).toEqual(partial);
    expect(read(step("a"), step("a", { cache: { read: 6, write: 0 } }))).toEqual(partial);
    expect(read(tool("t"), tool("t", "error"))).toEqual(partial);
    expect(read(step("a"), tool("a"))).toEqual(partial);
  });

  test.each([-1, 1.5, 2 ** 53, 1e300, "3", null, true, [1], {}])("the counter %j is damage", (bad) => {
    for (const changes of [{ input: bad }, { output: bad }, { reasoning: bad }, { cache: { read: bad } }]) {
      expect(read(tool("t"), step("a", changes))).toEqual(partial);
      expect(read(step("a", changes))).toEqual(unavailable);
    }
  });

  test.each([
    ["no tokens", step("a", {}, { tokens: {} })],
    ["no part", '{"type":"step_finish","sessionID":"ses_1"}'],
    ["a part of another type", step("a", {}, { type: "text" })],
    ["a number as id", step(7)],
    ["an empty id", step("")],
    ["an endless id", step("x".repeat(301))],
    ["a tool without a state", '{"type":"tool_use","sessionID":"ses_1","part":{"id":"a","type":"tool"}}'],
    ["a status that nobody documents", tool("t", "vanished")],
  ])("%s is damage", (_, line) => {
    expect(read(line)).toEqual(unavailable);
    expect(read(step("good"), line)).toEqual(partial);
  });

  test("a call that has not ended does not count, its end does", () => {
    const report = read(step("a"), tool("t", "pending"), tool("t", "running"), tool("t"));
    expect(report).toMatchObject({ metricsStatus: "observed", toolCalls: 1, toolErrors: 0 });
  });

  test("steps without a tool call are 0 calls; calls without a step leave the tokens unknown", () => {
    expect(read(step("a"))).toMatchObject({ metricsStatus: "observed", toolCalls: 0, toolErrors: 0 });
    const { inputTokens, outputTokens, steps, ...rest } = read(tool("t"));
    expect([inputTokens, outputTokens, steps]).toEqual([undefined, undefined, undefined]);
    expect(rest).toMatchObject({ metricsStatus: "observed", toolCalls: 1 });
  });

  test("a counter that one step does not tell is unknown in all, not 0", () => {
    const report = read(step("a"), step("b", { reasoning: undefined, cache: undefined }));
    expect(report).toMatchObject({ metricsStatus: "observed", inputTokens: 20, outputTokens: 6, steps: 2 });
    expect(report.reasoningTokens).toBeUndefined();
    expect(report.cacheReadTokens).toBeUndefined();
  });

  test("cache writes and cost of 0 are unknown; other amounts are added up without binary noise", () => {
    const unknown = read(step("a", {}, { cost: 0 }), step("b", {}, { cost: 0 }));
    expect([unknown.cacheWriteTokens, unknown.costUsd]).toEqual([undefined, undefined]);
    const told = read(
      step("a", { cache: { write: 7 } }, { cost: 0.1 }),
      step("b", { cache: { write: 0 } }, { cost: 0.2 }),
    );
    expect([told.cacheWriteTokens, told.costUsd]).toEqual([7, 0.3]);
  });

  test("a sum beyond the exact integers is damage", () => {
    const half = Number.MAX_SAFE_INTEGER;
    expect(read(step("a", { input: half }))).toMatchObject({ metricsStatus: "observed", inputTokens: half });
    expect(read(step("a", { input: half }), step("b"))).toEqual(partial);
  });

  test("more parts than are remembered are damage, and repeats of remembered ones are not", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => tool(`part-${index}`));
    expect(read(...many, ...many.slice(0, 10))).toMatchObject({ metricsStatus: "observed", toolCalls: 100_000 });
    expect(read(...many, tool("one more"))).toEqual(partial);
  });

  test("the session is the first that looks like an id", () => {
    const said = (id: unknown) => JSON.stringify({ type: "x", sessionID: id });
    expect(read(said(""), said(7), said("two words"), said("a"), said("b")).sessionID).toBe("a");
  });
});

describe("session events of pi", () => {
  const usage = { input: 5, output: 2, cacheRead: 1, cacheWrite: 0, cost: { total: 0 } };
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } };
  const ended = (stopReason: unknown, used: unknown = usage, role = "assistant") =>
    JSON.stringify({ type: "message_end", message: { role, stopReason, usage: used } });
  const read = (...lines: string[]) => replay("pi", lines);
  const quiet = { selfReportedFailure: false };

  test("a retried error that ends well is no failure, and adds nothing", () => {
    expect(read(ended("error", none), ended("stop"))).toEqual({
      metricsStatus: "observed",
      inputTokens: 5,
      outputTokens: 2,
      cacheReadTokens: 1,
      steps: 1,
      toolCalls: 0,
      toolErrors: 0,
      ...quiet,
    });
  });

  test.each(["error", "aborted"])("%s in the last message is a failure that keeps what was used", (reason) => {
    expect(read(ended("toolUse"), ended(reason))).toMatchObject({
      inputTokens: 10,
      steps: 2,
      selfReportedFailure: true,
    });
  });

  test("a later prompt of the user does not hide it", () => {
    expect(read(ended("error", none), ended(undefined, undefined, "user")).selfReportedFailure).toBe(true);
  });

  test("a provider that tells no usage leaves the tokens unknown", () => {
    const without = JSON.stringify({ type: "message_end", message: { role: "assistant", stopReason: "stop" } });
    for (const untold of [ended("stop", none), without])
      expect(read(ended("stop"), untold)).toEqual({
        metricsStatus: "observed",
        steps: 2,
        toolCalls: 0,
        toolErrors: 0,
        ...quiet,
      });
  });

  test("the same usage in other events does not count", () => {
    const message = { role: "assistant", stopReason: "stop", usage };
    const others = ["message_start", "message_update", "turn_end"].map((type) => JSON.stringify({ type, message }));
    const last = JSON.stringify({ type: "agent_end", messages: [message, message] });
    expect(read(ended("stop"), ...others, last)).toMatchObject({ inputTokens: 5, steps: 1 });
    expect(read(...others, last)).toEqual({ metricsStatus: "unavailable", ...quiet });
  });

  test.each([
    ["a negative counter", ended("stop", { ...usage, input: -1 })],
    ["a fraction", ended("stop", { ...usage, output: 0.5 })],
    ["an unsafe counter", ended("stop", { ...usage, cacheRead: 2 ** 53 })],
    ["a text as usage", ended("stop", "much")],
    ["a negative cost", ended("stop", { ...usage, cost: { total: -1 } })],
    ["no stop reason", ended(undefined)],
    ["no message", '{"type":"message_end"}'],
    ["a tool's end without its result", '{"type":"tool_execution_end","toolCallId":"a"}'],
  ])("%s is damage", (_, line) => {
    expect(read(line)).toMatchObject({ metricsStatus: "unavailable" });
    expect(read(ended("toolUse"), line)).toEqual({ metricsStatus: "partial", ...quiet });
  });
});

describe("any output", () => {
  const counter = fc.oneof(fc.nat(1000), fc.constantFrom<unknown>(-1, 0.5, 2 ** 60, "1", null));
  const id = fc.constantFrom<unknown>("a", "b", "c", 1, undefined);
  const used = fc.record(
    { input: counter, output: counter, reasoning: counter, cache: fc.record({ read: counter }), cacheRead: counter },
    { requiredKeys: ["input", "output"] },
  );
  const event = fc.oneof(
    fc.record({
      type: fc.constant("step_finish"),
      part: fc.record({ id, type: fc.constant("step-finish"), tokens: used }),
    }),
    fc.record({
      type: fc.constant("tool_use"),
      part: fc.record({
        id,
        type: fc.constant("tool"),
        state: fc.record({ status: fc.constantFrom("completed", "error") }),
      }),
    }),
    fc.record({
      type: fc.constant("message_end"),
      message: fc.record({ role: fc.constant("assistant"), stopReason: fc.constantFrom("stop", "error"), usage: used }),
    }),
    fc.record({ type: fc.constant("tool_execution_end"), isError: fc.constantFrom<unknown>(true, false, "yes") }),
    fc.record({ type: fc.constantFrom("session", "step_start"), id: fc.anything(), sessionID: fc.string() }),
  );
  const line = fc.oneof(
    { weight: 4, arbitrary: event.map((value) => JSON.stringify(value)) },
    fc.json(),
    fc.string({ unit: "binary" }),
  );
  const names = Object.keys(agents) as AgentName[];
  const countNames = ["inputTokens", "outputTokens", "reasoningTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

  test("never throws, and a report holds valid totals or none", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(line, { maxLength: 12 }), fc.boolean(), (agent, lines, whole) => {
        const report = replay(agent, lines, whole);
        const counts = [...countNames, "steps", "toolCalls", "toolErrors"] as const;
        const values = counts.flatMap((name) => report[name] ?? []);
        if (report.metricsStatus === "observed") {
          expect(whole).toBe(true);
          expect(values.every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
          expect(report.toolErrors).toBeLessThanOrEqual(report.toolCalls ?? -1);
        } else {
          expect(values).toEqual([]);
          expect(report.costUsd).toBeUndefined();
        }
      }),
    );
  });

  test("the order of the lines changes no total", () => {
    const withoutFailure = (report: AgentReport) => ({ ...report, selfReportedFailure: false, sessionID: "" });
    const shuffled = fc
      .array(line, { maxLength: 12 })
      .chain((lines) => fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })));
    fc.assert(
      fc.property(fc.constantFrom(...names), shuffled, (agent, [lines, others]) => {
        expect(withoutFailure(replay(agent, others))).toEqual(withoutFailure(replay(agent, lines)));
      }),
    );
  });

  test("damage anywhere withholds every total", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(line, { maxLength: 12 }), fc.nat(12), (agent, lines, place) => {
        expect(replay(agent, (lines as (string | null)[]).toSpliced(place, 0, null)).metricsStatus).not.toBe(
          "observed",
        );
      }),
    );
  });
});
