import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { configurePi } from "../../script/demo/pi-configuration.ts";
import type { ModelRequest, Reply, ToolCall } from "../../script/model-server/model.ts";
import { startModelServer } from "../../script/model-server/server.ts";
import { agents } from "../../src/agent/registry.ts";
import { lineReader } from "../../src/process/lines.ts";
import { runProcess } from "../../src/process/run.ts";
import { processesIn } from "./processes.ts";

const pi = fileURLToPath(new URL("../../node_modules/.bin/pi", import.meta.url));
const prompt = 'Fix "src/a.js"; $HOME\n\ttoo, please ✓';
const usage = { prompt: 2000, cached: 768, completion: 101, reasoning: 37 };

/**
 * Runs the real pi in a new workspace on a model that gives these replies, one after the other.
 * @param cancelAt a file of the workspace; the run is cancelled when it appears.
 */
async function runPi(replies: Reply[], cancelAt?: string) {
  const folder = await mkdtemp(join(tmpdir(), "pi-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const workspace = join(folder, "workspace");
  const configuration = join(folder, "configuration");
  await mkdir(workspace);
  await mkdir(configuration);
  await writeFile(join(workspace, "AGENTS.md"), "Sort a copy.\n");
  await writeFile(join(workspace, "a.txt"), "one\n");
  const requests: ModelRequest[] = [];
  const server = await startModelServer({
    respond(request) {
      requests.push(request);
      return replies[requests.length - 1] ?? { kind: "httpError", status: 400 };
    },
  });
  try {
    const inherited = process.env as Record<string, string>;
    const { argv, env } = agents.pi.invoke({
      command: [pi],
      root: workspace,
      model: "scripted/demo-model",
      sandbox: "workspace-write",
      prompt,
      features: {},
      env: await configurePi(configuration, server.url, inherited),
    });
    const reader = agents.pi.reader();
    const lines = lineReader({ line: (text) => reader.line(text), damaged: () => reader.damaged() });
    const cancellation = new AbortController();
    const running = runProcess({
      argv,
      cwd: workspace,
      env,
      timeoutMs: 50_000,
      signal: cancellation.signal,
      onOutput: (chunk) => lines.push(chunk),
    });
    if (cancelAt !== undefined) {
      await expect.poll(() => existsSync(join(workspace, cancelAt)), { timeout: 45_000 }).toBe(true);
      cancellation.abort();
    }
    const end = await running;
    lines.end();
    const report = reader.report(!end.timedOut && !end.cancelled && end.outputWhole);
    const text = await readFile(join(workspace, "a.txt"), "utf8");
    return { workspace, requests, end, report, text };
  } finally {
    await server.close();
  }
}

const call = (name: string, argumentsOf: ToolCall["arguments"]): Reply => ({
  kind: "toolCalls",
  calls: [{ id: `call_${name}`, name, arguments: argumentsOf }],
  usage,
});
const done: Reply = {
  kind: "text",
  text: "Done.",
  usage: { prompt: 2300, cached: 1536, completion: 53, reasoning: 11 },
};
const editOfA = call("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] });

test("pi edits the workspace, and its events add up to what the model reported", async () => {
  const { requests, end, report, text } = await runPi([call("read", { path: "a.txt" }), editOfA, done]);
  expect(end).toMatchObject({ exitCode: 0, timedOut: false, outputWhole: true, leftoverProcesses: 0 });
  expect(text).toBe("two\n");
  expect(report).toMatchObject({
    metricsStatus: "observed",
    selfReportedFailure: false,
    inputTokens: 2 * (2000 - 768) + (2300 - 1536),
    cacheReadTokens: 2 * 768 + 1536,
    outputTokens: 2 * 101 + 53,
    steps: 3,
    toolCalls: 2,
    toolErrors: 0,
  });
  expect(requests[0]?.messages).toEqual([{ role: "user", text: prompt }]);
  expect(requests[0]?.system).toContain("Sort a copy.");
  expect(requests[2]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
});

test("a failing command and a missing file are tool errors of a run that succeeds", async () => {
  const failing = call("bash", { command: "echo no >&2; exit 3" });
  const { end, report, text } = await runPi([failing, call("read", { path: "missing.js" }), editOfA, done]);
  expect([end.exitCode, text]).toEqual([0, "two\n"]);
  expect(report).toMatchObject({ metricsStatus: "observed", selfReportedFailure: false, toolCalls: 3, toolErrors: 2 });
});

test.each([401, 500])("a provider's error %i is a failure although pi exits 0", async (status) => {
  const { requests, end, report } = await runPi([{ kind: "httpError", status }]);
  expect(requests).toHaveLength(1);
  expect(end.exitCode).toBe(0);
  expect(report.selfReportedFailure).toBe(true);
});

test("a provider's stream that breaks off is a failure although pi exits 0", async () => {
  const { requests, end, report } = await runPi([editOfA, { kind: "cutStream", text: "All is" }]);
  expect(requests).toHaveLength(2);
  expect(end.exitCode).toBe(0);
  expect(report).toMatchObject({ selfReportedFailure: true, toolCalls: 1, toolErrors: 0 });
});

test("a tool that hangs is gone with pi, with what it started in sessions of their own", async () => {
  const hanging = call("bash", { command: "sleep 1000 & setsid sleep 1000 & touch started; wait" });
  const { workspace, end, report } = await runPi([hanging], "started");
  expect(end).toMatchObject({ cancelled: true, timedOut: false, gone: true });
  expect(report.metricsStatus).not.toBe("observed");
  expect(report.inputTokens).toBeUndefined();
  expect(await processesIn(workspace)).toEqual([]);
});
