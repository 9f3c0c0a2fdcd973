import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentReport } from "../../src/agent/agent.ts";
import { agentOf, linesOf, replay, streamNames } from "./replay.ts";

/** What each recorded run adds up to; the scripted usage stands in test/streams/README.md. */
const expected: Record<string, AgentReport> = {
  // 3 requests: 3 x (120 - 40) input, 3 x 15 output, of it 3 x 5 reasoning, 3 x 40 read from the cache. A read, a write.
  "ax-code/ok": {
    metricsStatus: "observed",
    inputTokens: 240,
    outputTokens: 45,
    reasoningTokens: 15,
    cacheReadTokens: 120,
    steps: 3,
    toolCalls: 2,
    toolErrors: 0,
    sessionID: "ses_-e5dd17d8033ffeHBaSQ61colv",
    selfReportedFailure: false,
  },
  // 2 requests; a read and a write, both refused.
  "ax-code/toolerr": {
    metricsStatus: "observed",
    inputTokens: 160,
    outputTokens: 30,
    reasoningTokens: 10,
    cacheReadTokens: 80,
    steps: 2,
    toolCalls: 2,
    toolErrors: 2,
    sessionID: "ses_-e5dd17d4d5bffeSeAkMU81XZ8",
    selfReportedFailure: false,
  },
  // 2 requests; verify_project.
  "ax-code/verify": {
    metricsStatus: "observed",
    inputTokens: 160,
    outputTokens: 30,
    reasoningTokens: 10,
    cacheReadTokens: 80,
    steps: 2,
    toolCalls: 1,
    toolErrors: 0,
    sessionID: "ses_-e5dd17b73d9ffe6ZYhDokkfhy",
    selfReportedFailure: false,
  },
  // The request failed, so no step ended. The exit code (1) says so.
  "ax-code/err": {
    metricsStatus: "unavailable",
    sessionID: "ses_-e5dd17d1feaffek5qNLQA0MiH",
    selfReportedFailure: false,
  },
  "ax-code/badflag": { metricsStatus: "unavailable", selfReportedFailure: false },
  "ax-code/badmodel": { metricsStatus: "unavailable", selfReportedFailure: false },

  // Requests 1, 2: input 2000-768 + 2300-1536, output 101-37 + 53-11, reasoning 37+11, cache 768+1536.
  "opencode/ok": {
    metricsStatus: "observed",
    inputTokens: 1996,
    outputTokens: 106,
    reasoningTokens: 48,
    cacheReadTokens: 2304,
    costUsd: 0.0025344,
    steps: 2,
    toolCalls: 1,
    toolErrors: 0,
    sessionID: "ses_dd18624e0ffeDkvyu0Keh35yTu",
    selfReportedFailure: false,
  },
  // And request 3: 2600-1792, 47-7, 7, 1792. The unknown tool counts as a call that completed: so opencode states it.
  "opencode/badtool": {
    metricsStatus: "observed",
    inputTokens: 2804,
    outputTokens: 146,
    reasoningTokens: 55,
    cacheReadTokens: 4096,
    costUsd: 0.0036156,
    steps: 3,
    toolCalls: 2,
    toolErrors: 0,
    sessionID: "ses_dd181e4c3ffe7fKN2dcVCB6YQf",
    selfReportedFailure: false,
  },
  // And request 4: 2900-2048, 43-5, 5, 2048. opencode states the shell's exit 3 as completed, the missing file as error.
  "opencode/toolerr": {
    metricsStatus: "observed",
    inputTokens: 3656,
    outputTokens: 184,
    reasoningTokens: 60,
    cacheReadTokens: 6144,
    costUsd: 0.0047584,
    steps: 4,
    toolCalls: 3,
    toolErrors: 1,
    sessionID: "ses_dd1822db0ffes5cJrOE94G7cYJ",
    selfReportedFailure: false,
  },
  "opencode/err401": {
    metricsStatus: "unavailable",
    sessionID: "ses_dd181c3eaffevW3dpFxU02JyQl",
    fault: "provider:401",
    selfReportedFailure: false,
  },
  // Steps started and none ended.
  "opencode/midcut": {
    metricsStatus: "unavailable",
    sessionID: "ses_dd17e7142ffePA39UPv3kNLnwm",
    selfReportedFailure: false,
  },
  "opencode/hangtool": {
    metricsStatus: "unavailable",
    sessionID: "ses_dd17fc71dffehQNMXDwYLuNsIN",
    selfReportedFailure: false,
  },

  // Requests 1, 2: input as above, output with its reasoning 101+53, cache reads without the writes in them
  // 768-307 + 1536-109, cache writes 307+109.
  "pi/ok": {
    metricsStatus: "observed",
    inputTokens: 1996,
    outputTokens: 154,
    cacheReadTokens: 1888,
    cacheWriteTokens: 416,
    costUsd: 0.0030128,
    steps: 2,
    toolCalls: 1,
    toolErrors: 0,
    sessionID: "01a22e79-a4df-7192-8fc3-bb7e610225fe",
    selfReportedFailure: false,
  },
  // And request 3: 808, 47, 1792-61, 61. The unknown tool is an error.
  "pi/badtool": {
    metricsStatus: "observed",
    inputTokens: 2804,
    outputTokens: 201,
    cacheReadTokens: 3619,
    cacheWriteTokens: 477,
    costUsd: 0.00416415,
    steps: 3,
    toolCalls: 2,
    toolErrors: 1,
    sessionID: "01a22e7d-f0a9-75ea-9d15-d456d8bc9fbf",
    selfReportedFailure: false,
  },
  // And request 4: 852, 43, 2048-53, 53. Exit 3 and the missing file are errors.
  "pi/toolerr": {
    metricsStatus: "observed",
    inputTokens: 3656,
    outputTokens: 244,
    cacheReadTokens: 5614,
    cacheWriteTokens: 530,
    costUsd: 0.0053679,
    steps: 4,
    toolCalls: 3,
    toolErrors: 2,
    sessionID: "01a22e7d-cd0f-738c-8bf2-1ade0c2b8a16",
    selfReportedFailure: false,
  },
  // pi exits 0 here; its zeros are not a usage.
  "pi/err401": {
    metricsStatus: "unavailable",
    sessionID: "01a22e7e-006e-7618-8297-40526b375d14",
    fault: "provider",
    selfReportedFailure: true,
  },
  "pi/midcut": {
    metricsStatus: "unavailable",
    sessionID: "01a22e7f-980b-7048-8c20-5654e39ec236",
    fault: "provider",
    selfReportedFailure: true,
  },
  // Request 1 ended, its tool call did not. Read as a whole here; the attempt reads it as cut (below).
  "pi/hangtool": {
    metricsStatus: "observed",
    inputTokens: 1232,
    outputTokens: 101,
    cacheReadTokens: 461,
    cacheWriteTokens: 307,
    costUsd: 0.00186385,
    steps: 1,
    toolCalls: 0,
    toolErrors: 0,
    sessionID: "01a22e7e-c33b-731d-92e5-37e2b953705f",
    selfReportedFailure: false,
  },
};

/** Only these fields may stand beside totals that are withheld. */
function withheld(metricsStatus: AgentReport["metricsStatus"], report: AgentReport): AgentReport {
  const { sessionID, fault, selfReportedFailure } = report;
  const facts = { ...(sessionID === undefined ? {} : { sessionID }), ...(fault === undefined ? {} : { fault }) };
  return { metricsStatus, ...facts, selfReportedFailure };
}

/** The lines hold a step or a tool call that ended. */
function observes(stream: string, lines: readonly string[]): boolean {
  return replay(agentOf(stream), lines).metricsStatus !== "unavailable";
}

test("every recorded stream is expected, and the other way round", () => {
  expect(streamNames.sort()).toEqual(Object.keys(expected).sort());
});

test("only pi hides failures behind exit code 0, and they are told", () => {
  const index = JSON.parse(readFileSync(new URL("../streams/index.json", import.meta.url), "utf8")) as Record<
    string,
    { exitCode: number | null; fileWritten: boolean }
  >;
  const hidden = streamNames.filter((name) => index[name]?.exitCode === 0 && expected[name]?.selfReportedFailure);
  expect(hidden.sort()).toEqual(["pi/err401", "pi/midcut"]);
  for (const name of streamNames.filter((stream) => index[stream]?.fileWritten))
    expect(replay(agentOf(name), linesOf(name)).selfReportedFailure, name).toBe(false);
});

describe.each(streamNames)("%s", (stream) => {
  const agent = agentOf(stream);
  const lines = linesOf(stream);
  const whole = replay(agent, lines);

  test("adds up to the scripted usage", () => {
    expect(whole).toEqual(expected[stream]);
  });

  test("blank lines, carriage returns and unknown events are nothing", () => {
    const noise = ["", "  ", "\r", '{"type":"heartbeat"}', "{}", '{"type":7,"part":null}', '{"part":{"id":"x"}}'];
    expect(replay(agent, [...noise, ...lines.flatMap((line) => [`${line}\r`, ...noise])])).toEqual(whole);
  });

  test("cut by a time-out, totals are withheld", () => {
    const status = observes(stream, lines) ? "partial" : "unavailable";
    expect(replay(agent, lines, false)).toEqual(withheld(status, whole));
  });

  test("cut after any line, totals are withheld", () => {
    for (let count = 0; count <= lines.length; count++) {
      const start = lines.slice(0, count);
      const status = observes(stream, start) ? "partial" : "unavailable";
      const report = replay(agent, start, false);
      expect(report).toEqual(withheld(status, report));
    }
  });

  test("cut inside a line, the torn line alone withholds the totals", () => {
    const bytes = Buffer.from(lines.join("\n"));
    fc.assert(
      fc.property(fc.nat(bytes.length), (length) => {
        const read = bytes.subarray(0, length).toString("utf8").split("\n");
        const torn = read.at(-1) ?? "";
        fc.pre(torn !== "" && torn !== lines[read.length - 1]);
        const status = observes(stream, read.slice(0, -1)) ? "partial" : "unavailable";
        const report = replay(agent, read);
        expect(report).toEqual(withheld(status, report));
      }),
      { numRuns: lines.length === 0 ? 0 : 200 },
    );
  });

  test.each(["garbage", "[1,2]", '"text"', "3", "null", "{", '{"type":"step_finish"', "\u00a0{}", null])(
    "%j among the lines is damage",
    (bad) => {
      const status = observes(stream, lines) ? "partial" : "unavailable";
      for (const place of [0, Math.floor(lines.length / 2), lines.length])
        expect(replay(agent, lines.toSpliced(place, 0, bad as string))).toEqual(withheld(status, whole));
    },
  );
});
