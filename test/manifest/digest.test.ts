import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadManifest } from "../../src/manifest/load.ts";
import { defaults, documented, task, temporaryFolder, withArm, withTask } from "./example.ts";

const folder = temporaryFolder();

test("is the SHA-256 of the canonical JSON that docs/manifest.md lays out", async () => {
  folder.put("f/bin", Buffer.from([255, 0]));
  chmodSync(folder.put("f/run", "ü\n"), 0o755);
  const features =
    '{"context_recovery":false,"mcp_tool_discovery":false,"read_only_recipes":false,"tail_reminders":true}';
  const off = features.replace("true", "false");
  const canonical = [
    '{"agent":"pi","arms":[',
    `{"command":["pi"],"env":{},"features":${off},"files":[],"name":"a","sandbox":"workspace-write"},`,
    '{"autonomous":true,"command":["./pi"],"config":{"a":1e+21,"é":null},"env":{"B":"2"},',
    `"features":${features},"files":[{"content":"x","executable":false,"path":"A.md"}],"name":"b",`,
    '"promptTemplate":"/x {prompt}","sandbox":"read-only","toolProfile":"core"}],',
    '"home":"fresh","margin":0.05,"model":"p/m","passEnv":["A","B"],"repetitions":3,"runtimeRevision":"r","tasks":[',
    '{"files":[{"base64":"/wA=","executable":false,"path":"bin"},',
    '{"content":"ü\\n","executable":true,"path":"run"}],"id":"t",',
    '"oracle":"\u2028","oracleTimeoutMs":10000,"prompt":"p","setup":[["true"]],"solution":[],"tags":["x"],',
    '"timeoutMs":120000}]}',
  ].join("");
  const cohort = await folder.cohortOf({
    ...{ $schema: "s", name: "n", description: "d", agent: "pi", model: "p/m", runtimeRevision: "r", margin: 0.05 },
    ...{ home: "fresh", passEnv: ["B", "A"] },
    arms: [
      { name: "a" },
      {
        ...{ name: "b", features: { tail_reminders: true }, toolProfile: "core", command: ["./pi"], autonomous: true },
        ...{ config: { é: null, a: 1e21 }, env: { B: "2" }, sandbox: "read-only", promptTemplate: "/x {prompt}" },
        files: [{ path: "A.md", content: "x" }],
      },
    ],
    tasks: [{ id: "t", prompt: "p", fixture: "f", oracle: "\u2028", setup: [["true"]], tags: ["x"] }],
  });
  expect(cohort).toBe(createHash("sha256").update(canonical).digest("hex"));
});

describe("does not depend on", () => {
  test("name, description and $schema", async () => {
    const told = { $schema: "x", name: "n", description: "d", ...documented };
    expect(await folder.cohortOf(told)).toBe(await folder.cohortOf(documented));
  });

  test("whether defaults are spelled out", async () => {
    const { timeoutMs, oracleTimeoutMs, sandbox, command } = defaults;
    const off = { mcp_tool_discovery: false, tail_reminders: false, read_only_recipes: false };
    const spelledOut = {
      ...documented,
      ...defaults,
      arms: [
        {
          ...{ name: "baseline", features: { context_recovery: false, ...off }, sandbox, command, env: {}, config: {} },
          promptTemplate: "{prompt}",
        },
        { name: "candidate", features: { context_recovery: true, ...off }, toolProfile: "core" },
      ],
      tasks: [{ ...task, timeoutMs, oracleTimeoutMs, setup: [], tags: [] }],
    };
    expect(await folder.cohortOf(spelledOut)).toBe(await folder.cohortOf(documented));
  });

  test("property: the order of keys, of files, of passed variables", async () => {
    const manifest = {
      ...{ ...documented, passEnv: ["A", "B", "C"] },
      tasks: [
        {
          ...{ ...task, timeoutMs: 500 },
          files: ["b", "a/x", "a.x", "Z", "é"].map((path) => ({ path, content: path })),
        },
      ],
    };
    const expected = await folder.cohortOf(manifest);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (random) => {
        expect(await folder.cohortOf(shuffled(manifest, random))).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  test("property: whether content stands in the manifest or in a file", async () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
    const whole = text.filter((value) => !/\0|^\ufeff|\p{Surrogate}/u.test(value));
    const content = text.filter((value) => !/\p{Surrogate}/u.test(value));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(whole, whole, content, async (prompt, oracle, inner) => {
        const name = `case-${count++}`;
        folder.put(`${name}/prompt`, prompt);
        folder.put(`${name}/oracle`, oracle);
        folder.put(`${name}/fixture/a/b.js`, inner);
        const files = [{ path: "a/b.js", content: inner }];
        const inline = { id: "t", prompt, oracle, files, solution: files };
        const fixture = `${name}/fixture`;
        const inFiles = {
          id: "t",
          promptFile: `${name}/prompt`,
          oracleFile: `${name}/oracle`,
          fixture,
          solution: fixture,
        };
        const [one, other] = [
          { ...documented, tasks: [inline] },
          { ...documented, tasks: [inFiles] },
        ];
        expect(await folder.cohortOf(one)).toBe(await folder.cohortOf(other));
      }),
      { numRuns: 30 },
    );
  });

  test("where the manifest lies, though a program is found beside it", async () => {
    const text = JSON.stringify({ ...documented, command: ["./bin/ax-code"] });
    const [here, there] = [
      await loadManifest(folder.put("a/m.json", text)),
      await loadManifest(folder.put("b/n.json", text)),
    ];
    expect(here.manifest.cohort).toBe(there.manifest.cohort);
    expect(here.manifest.arms[0].command).toEqual([folder.path("a/bin/ax-code")]);
    expect(there.manifest.arms[0].command).toEqual([folder.path("b/bin/ax-code")]);
  });
});

test("depends on everything else, on every file's bytes and executable bit", async () => {
  const file = folder.put("f/a.js", "1;\n");
  const inFolder = withTask({ files: undefined, fixture: "f" });
  const seen = [await folder.cohortOf(inFolder)];
  chmodSync(file, 0o755);
  seen.push(await folder.cohortOf(inFolder));
  for (const bytes of [[255, 0], [255, 1], []]) {
    folder.put("f/b.bin", Buffer.from(bytes));
    seen.push(await folder.cohortOf(inFolder));
  }
  // The text that is the base64 of other bytes is no repetition of them.
  folder.put("f/b.bin", "/wA=");
  seen.push(await folder.cohortOf(inFolder));
  for (const manifest of [
    documented,
    ...[{ model: "p/n" }, { runtimeRevision: "v2" }, { agent: "opencode" }, { command: ["./ax-code"] }],
    ...[{ repetitions: 4 }, { timeoutMs: 1000 }, { oracleTimeoutMs: 1000 }, { sandbox: "read-only" }],
    ...[{ home: "fresh" }, { margin: 0 }, { passEnv: [] }, { passEnv: ["A"] }, { arms: documented.arms.toReversed() }],
    { tasks: [task, { ...task, id: "other" }] },
    { tasks: [{ ...task, id: "other" }, task] },
  ]
    .map((changes) => ({ ...documented, ...changes }))
    .concat(
      [
        ...[
          { name: "c" },
          { env: { A: "1" } },
          { env: { A: "2" } },
          { config: { a: { b: 1 } } },
          { autonomous: false },
        ],
        ...[{ files: [{ path: "a", content: "" }] }, { promptTemplate: "{prompt}!" }, { toolProfile: "full" }],
      ].map(withArm) as never[],
      [
        ...[{ prompt: "Other." }, { oracle: "1" }, { setup: [["true"]] }, { tags: ["a"] }, { id: "c" }],
        ...[{ solution: [{ path: "a", content: "" }] }, { timeoutMs: 100 }, { oracleTimeoutMs: 100 }],
        ...[{ files: [{ path: "a", content: "" }] }, { files: [{ path: "a", content: " " }] }],
      ].map(withTask) as never[],
    )) {
    seen.push(await folder.cohortOf(manifest));
  }
  expect(new Set(seen).size).toBe(seen.length);
});

/** The same value with the keys of each object, and lists that are sets, in another order. */
function shuffled(value: unknown, random: Iterator<number>, isSet = false): unknown {
  if (typeof value !== "object" || value === null) return value;
  const mix = <T>(entries: T[]): T[] =>
    entries
      .map((entry) => ({ entry, rank: Number(random.next().value) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ entry }) => entry);
  if (Array.isArray(value)) {
    const entries = value.map((entry) => shuffled(entry, random));
    return isSet ? mix(entries) : entries;
  }
  return Object.fromEntries(
    mix(Object.entries(value)).map(([key, inner]) => [
      key,
      shuffled(inner, random, ["files", "passEnv"].includes(key)),
    ]),
  );
}
