import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecords } from "../../src/record/reader.ts";
import type { RecordLine, RunRecord } from "../../src/record/schema.ts";
import { OutputClosedError, recordWriter } from "../../src/record/writer.ts";
import { documentedRun, fileOf, readText } from "./texts.ts";

const run = documentedRun as RunRecord;

async function written(lines: readonly RecordLine[]): Promise<string> {
  const stream = new PassThrough({ highWaterMark: 1 << 24 });
  const writer = recordWriter(stream);
  for (const line of lines) await writer.write(line);
  stream.end();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

describe("writing", () => {
  test("one whole line each, keys in the order of the schema whatever order they were set in", async () => {
    const { taskID, ...others } = run;
    const shuffled = { zeta: 1, alpha: "é\n", ...others, position: 0, taskID } as RunRecord;
    const first = await written([{ type: "run", run: shuffled }]);
    expect(first).toBe(
      '{"type":"run","run":{"taskID":"fix-parser","arm":"baseline","model":"provider/model","cohort":"c1",' +
        '"repetition":0,"outcome":"completed","verified":true,"elapsedMs":1234.5,"position":0,"alpha":"é\\n","zeta":1}}\n',
    );
    expect(await written([{ run: { ...run, alpha: "é\n", zeta: 1, position: 0 }, type: "run" }])).toBe(first);
    expect(await written([{ incomplete: true, comparison: null, type: "comparison" }])).toBe(
      '{"type":"comparison","comparison":null,"incomplete":true}\n',
    );
  });

  test("a line is done when the stream has flushed it, not before", async () => {
    const waiting: (() => void)[] = [];
    const stream = new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done) });
    let done = false;
    const writing = recordWriter(stream)
      .write({ type: "run", run })
      .then(() => (done = true));
    await new Promise(setImmediate);
    expect(done).toBe(false);
    waiting[0]?.();
    await writing;
    expect(done).toBe(true);
  });

  test("a file holds each line as soon as its write resolves", async () => {
    const file = fileOf("");
    const stream = createWriteStream(file);
    const writer = recordWriter(stream);
    for (const repetition of [0, 1, 2]) {
      await writer.write({ type: "run", run: { ...run, repetition } });
      expect(readFileSync(file, "utf8").split("\n")).toHaveLength(repetition + 2);
    }
    stream.end();
    await once(stream, "close");
    expect((await readRecords(file)).runs.map((numbered) => numbered.run.repetition)).toEqual([0, 1, 2]);
  });
});

describe("an output that takes no more", () => {
  test("a reader that goes away rejects the write and all later ones, without an uncaught exception", async () => {
    const reader = spawn("true", { stdio: ["pipe", "ignore", "ignore"] });
    await once(reader, "exit");
    const writer = recordWriter(reader.stdin);
    const line: RecordLine = { type: "run", run };
    const failures: unknown[] = [];
    for (let index = 0; index < 3; index++) await writer.write(line).catch((error: unknown) => failures.push(error));
    expect(failures.length).toBeGreaterThanOrEqual(2);
    for (const failure of failures) expect(failure).toBeInstanceOf(OutputClosedError);
    expect(String(failures[0])).not.toContain("\n");
  });

  test("a stream that was ended or destroyed", async () => {
    const ended = new PassThrough();
    const writer = recordWriter(ended);
    ended.end();
    await expect(writer.write({ type: "run", run })).rejects.toThrow(OutputClosedError);
    const destroyed = new PassThrough();
    destroyed.destroy();
    await expect(recordWriter(destroyed).write({ type: "run", run })).rejects.toThrow(OutputClosedError);
  });

  test("a device that fails is named by its code", async () => {
    const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(full) });
    await expect(recordWriter(stream).write({ type: "run", run })).rejects.toMatchObject({
      code: "ENOSPC",
      message: expect.stringContaining("ENOSPC") as string,
    });
  });
});

test("what is written is read back", async () => {
  const name = fc.string({ unit: "binary", minLength: 1, maxLength: 20 });
  const count = fc.maxSafeNat();
  const anyRun = fc.record(
    {
      taskID: name,
      arm: name,
      model: name,
      cohort: name,
      repetition: count,
      outcome: fc.constantFrom("completed", "failed", "timeout", "cancelled"),
      verified: fc.constant(false),
      elapsedMs: fc.double({ min: 0, max: 1e9, noNaN: true }).map(Math.abs),
      inputTokens: count,
      toolErrors: count,
      exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
      ofTheFuture: fc.jsonValue(),
    },
    { requiredKeys: ["taskID", "arm", "model", "cohort", "repetition", "outcome", "verified", "elapsedMs"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyRun, { minLength: 1, maxLength: 5 }), async (runs) => {
      const text = await written(runs.map((one) => ({ type: "run", run: one })));
      expect(text.split("\n")).toHaveLength(runs.length + 1);
      // Through JSON once, for what JSON itself does not tell apart.
      const expected = runs.map((one, index) => ({ run: JSON.parse(JSON.stringify(one)) as unknown, line: index + 1 }));
      expect((await readText(text, 11)).runs).toEqual(expected);
    }),
  );
});
