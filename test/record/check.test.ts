import fc from "fast-check";
import { expect, test } from "vitest";
import { isRunRecord } from "../../src/record/check.ts";
import { RunRecord } from "../../src/record/schema.ts";
import { documentedRun } from "./texts.ts";

const fields = Object.keys(RunRecord.shape);

/** Values at and around every bound that a field has. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...["completed", "failed", "timeout", "cancelled", "observed", "partial", "unavailable", "passed", "broken", ""],
    ...["x".repeat(64), "x".repeat(65), "x".repeat(300), "x".repeat(301)],
    ...[0, -0, 1, 2, -1, 0.5, -0.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300, Infinity, NaN],
    ...[null, true, false, [], {}, undefined],
  ),
  fc.jsonValue(),
);

const whole = {
  ...documentedRun,
  verificationMs: 1,
  inputTokens: 1,
  outputTokens: 1,
  reasoningTokens: 1,
  cacheReadTokens: 1,
  toolCalls: 1,
  toolErrors: 1,
  metricsStatus: "observed",
  schemaVersion: 1,
  attempt: 0,
  position: 1,
  startedAt: "2026-01-01T00:00:00Z",
  exitCode: 0,
  signal: null,
  cacheWriteTokens: 1,
  costUsd: 0.1,
  steps: 1,
  oracle: "passed",
  fixtureRevision: "f",
  containment: "process-group",
  leftoverProcesses: 0,
  fault: "provider",
  protectedChanged: 0,
  sessionID: "s",
};

test("the quick check knows every field of the schema", () => {
  expect(Object.keys(whole).sort()).toEqual([...fields].sort());
  expect(isRunRecord(whole)).toBe(true);
  const refused = fields.filter((field) => !isRunRecord({ ...whole, [field]: { not: "a value of any field" } }));
  expect(refused).toEqual(fields);
});

test("the quick check and the schema accept the same values", () => {
  const changes = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 3 });
  fc.assert(
    fc.property(
      fc.oneof(
        changes.map((changed) => ({ ...whole, ...changed })),
        fc.jsonValue(),
      ),
      (candidate) => {
        expect(isRunRecord(candidate)).toBe(RunRecord.safeParse(candidate).success);
      },
    ),
    { numRuns: 3000 },
  );
});

test("each field alone, at each bound", () => {
  const bounds = fc.sample(value, { numRuns: 200, seed: 7 });
  for (const field of fields) {
    for (const bound of bounds) {
      const candidate = { ...whole, [field]: bound };
      expect({ field, bound, accepted: isRunRecord(candidate) }).toEqual({
        field,
        bound,
        accepted: RunRecord.safeParse(candidate).success,
      });
    }
  }
});
