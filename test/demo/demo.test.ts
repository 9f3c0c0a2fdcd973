import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { configurePi } from "../../script/demo/pi-configuration.ts";
import { scriptedModel } from "../../script/demo/scripted-model.ts";
import { startModelServer } from "../../script/model-server/server.ts";
import { runCohort } from "../../src/attempt/cohort.ts";
import { loadManifest } from "../../src/manifest/load.ts";
import { processesIn } from "./processes.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "demo-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the first block of the demo comes out as scripted, through fixture, pi, oracle and record", async () => {
  const server = await startModelServer({ respond: scriptedModel(0) });
  try {
    const { manifest } = await loadManifest(join(repository, "manifests/demo.json"));
    const { runs } = await runCohort({
      manifest,
      env: await configurePi(scratch(), server.url, process.env as Record<string, string>),
      confinement: { wanted: "auto", written: [], exposed: [] },
      harnessVersion: "test",
      nodeVersion: process.version,
      platform: process.platform,
      signal: new AbortController().signal,
      limitBlocks: 1,
      write: () => Promise.resolve(),
      onEvent: () => undefined,
    });
    // The model counts 230 tokens a step: 1480 + 230 i without the conventions, 1640 + 230 i with them.
    expect(runs).toEqual([
      expect.objectContaining({
        taskID: "catalogue-pages",
        arm: "baseline",
        outcome: "completed",
        verified: false,
        oracle: "failed",
        metricsStatus: "observed",
        inputTokens: 1480 + 7 * 230,
        cacheReadTokens: 7 * 1480 + 21 * 230,
        outputTokens: 8 * 130,
        steps: 8,
        toolCalls: 8,
        toolErrors: 1,
      }),
      expect.objectContaining({
        arm: "candidate",
        outcome: "completed",
        verified: true,
        oracle: "passed",
        inputTokens: 1640 + 3 * 230,
        cacheReadTokens: 3 * 1640 + 3 * 230,
        outputTokens: 4 * 90,
        steps: 4,
        toolCalls: 3,
        toolErrors: 0,
      }),
    ]);
    expect(runs[0]?.fixtureRevision).toBe(runs[1]?.fixtureRevision);
  } finally {
    await server.close();
  }
});

test("an interrupted demo keeps its records, says that they are incomplete and leaves nothing behind", async () => {
  const folder = scratch();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), join(repository, "script/demo.ts")], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.resume();
  const ended = once(child, "close") as Promise<[number | null]>;
  const records = join(folder, "demo-runs.ndjson");
  const lines = () => (existsSync(records) ? readFileSync(records, "utf8").split("\n").slice(0, -1) : []);
  await expect.poll(() => lines().length, { timeout: 50_000, interval: 50 }).toBeGreaterThanOrEqual(2);
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(130);
  expect(stdout).toBe("");
  const types = lines().map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types.slice(0, 2)).toEqual(["cohort", "run"]);
  expect(lines().at(-1)).toBe('{"type":"comparison","comparison":null,"incomplete":true}');
  expect(await processesIn(temporary)).toEqual([]);
  const left = readdirSync(temporary).filter((name) => !name.startsWith("tsx-") && name !== "node-compile-cache");
  expect(left).toEqual([]);
});
