import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { agents } from "../../src/agent/registry.ts";
import { loadManifest } from "../../src/manifest/load.ts";
import { agentNames, ownCommand } from "../../src/manifest/resolved.ts";
import { defaults, documented, task, temporaryFolder, withArm, withTask } from "./example.ts";

const folder = temporaryFolder();

describe("a documented manifest", () => {
  test("is resolved with its defaults", async () => {
    const { manifest, warnings } = await folder.load(documented);
    expect(warnings).toEqual([]);
    const off = { context_recovery: false, mcp_tool_discovery: false, tail_reminders: false, read_only_recipes: false };
    const arm = { command: [], commandGiven: false, env: {}, sandbox: "workspace-write", files: [] };
    const { prompt, oracle } = task;
    expect(manifest).toEqual({
      path: folder.path("manifest.json"),
      namedPaths: [folder.path("manifest.json")],
      agent: "ax-code",
      model: "provider/model",
      runtimeRevision: "v1.2.3",
      repetitions: 3,
      home: "inherit",
      arms: [
        { ...arm, name: "baseline", role: "baseline", features: off },
        {
          ...arm,
          name: "candidate",
          role: "candidate",
          features: { ...off, context_recovery: true },
          toolProfile: "core",
        },
      ],
      tasks: [
        {
          ...{ id: "parse-dates", prompt, oracle, oracleTimeoutMs: 10_000, timeoutMs: 120_000 },
          files: [{ path: "src/parse.js", content: Buffer.from(task.files[0]?.content ?? ""), executable: false }],
          ...{ setup: [], solution: [], tags: [] },
        },
      ],
      cohort: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  test("may state every field at its limit", async () => {
    const long = (length: number) => "x".repeat(length);
    const files = Array.from({ length: 100 }, (_, index) => ({
      path: `${100 + index}/${long(96)}/${long(199)}`,
      content: "",
    }));
    files[0] = { path: "big", content: long(64_000) };
    const { manifest } = await folder.load({
      ...{ model: `p/${long(298)}`, runtimeRevision: long(300), command: Array<string>(20).fill(long(4000)) },
      ...{ repetitions: 1000, timeoutMs: 86_400_000 },
      arms: [{ name: long(64) }, { name: "b" }],
      tasks: [{ id: long(64), prompt: long(16_000), files, oracle: long(24_000) }],
    });
    expect(manifest.tasks[0]?.files).toHaveLength(100);
    expect(manifest.tasks[0]?.files[0]?.path).toHaveLength(300);
    expect(manifest.arms[0].command).toHaveLength(20);
  });

  test("may hold text of every kind", async () => {
    const prompt = "\u2028 \u2029 \u0007 \u{1f600} e\u0301 \r\n $& {prompt}";
    const { manifest } = await folder.load(
      withTask({ prompt, files: [{ path: "größe \u2028.txt", content: "a\0b\r\n" }] }),
    );
    expect(manifest.tasks[0]).toMatchObject({ prompt });
    expect(manifest.tasks[0]?.files[0]).toMatchObject({ path: "größe \u2028.txt", content: Buffer.from("a\0b\r\n") });
  });
});

test("our own fields are resolved", async () => {
  const { manifest } = await folder.load({
    ...documented,
    ...{ $schema: "./manifest.schema.json", name: "dates", description: "Why?", agent: "opencode", margin: 0.1 },
    ...{ home: "cohort", sandbox: "read-only", oracleTimeoutMs: 500, passEnv: ["LANG", "CI", "LANG"] },
    arms: [
      { name: "a", promptTemplate: "/council {prompt}", env: { A: "1", LONG_NAME_2: "" } },
      {
        name: "b",
        ...{ command: ["./build/opencode", "--flag", "./kept"], sandbox: "full-access", autonomous: false },
        ...{
          config: { autonomy: { budget: [1, null, { a: "b" }] } },
          files: [{ path: "AGENTS.md", content: "Test." }],
        },
      },
    ],
    tasks: [
      {
        ...task,
        ...{ setup: [["npm", "ci"]], timeoutMs: 1000, oracleTimeoutMs: 200, tags: ["parser"] },
        solution: [
          { path: "src/z.js", content: "2" },
          { path: "src/a.js", content: "1" },
        ],
      },
    ],
  });
  expect(manifest).toMatchObject({ name: "dates", description: "Why?", agent: "opencode", margin: 0.1 });
  expect(manifest).toMatchObject({ home: "cohort", passEnv: ["CI", "LANG"] });
  expect(manifest.arms[0]).toMatchObject({
    ...{ command: [], commandGiven: false, sandbox: "read-only", promptTemplate: "/council {prompt}" },
    env: { A: "1", LONG_NAME_2: "" },
  });
  expect(manifest.arms[1]).toMatchObject({
    ...{ command: [folder.path("build/opencode"), "--flag", "./kept"], commandGiven: true, sandbox: "full-access" },
    ...{ autonomous: false, config: { autonomy: { budget: [1, null, { a: "b" }] } } },
    files: [{ path: "AGENTS.md", content: Buffer.from("Test.") }],
  });
  expect(manifest.tasks[0]).toMatchObject({
    ...{ setup: [["npm", "ci"]], timeoutMs: 1000, oracleTimeoutMs: 200, tags: ["parser"] },
    solution: [{ path: "src/a.js" }, { path: "src/z.js" }],
  });
});

test("the agents that a manifest can name are those that there are, each with its own command", () => {
  expect(Object.keys(agents).sort()).toEqual([...agentNames].sort());
  for (const name of agentNames) expect(agents[name].defaultCommand).toEqual(ownCommand(name));
});

describe("arms that do not differ are a warning", () => {
  const codesOf = async (...arms: object[]) => {
    const { warnings } = await folder.load({ ...documented, arms });
    return warnings.map(({ code }) => code);
  };

  test.each<[string, object]>([
    ["nothing given", {}],
    ["defaults spelled out", { features: { tail_reminders: false }, env: {}, config: {}, promptTemplate: "{prompt}" }],
    ["the manifest's sandbox", { sandbox: defaults.sandbox }],
    ["the agent's own command", { command: defaults.command }],
  ])("%s", async (_name, arm) => {
    expect(await codesOf({ name: "a" }, { name: "b", ...arm })).toEqual(["arms-identical"]);
  });

  test.each<[string, object]>([
    ["a feature", { features: { tail_reminders: true } }],
    ["a sandbox", { sandbox: "read-only" }],
    ["a command", { command: ["./ax-code"] }],
    ["a variable", { env: { A: "" } }],
    ["a file", { files: [{ path: "AGENTS.md", content: "" }] }],
    ["autonomy", { autonomous: false }],
    ["a key of the configuration", { config: { a: null } }],
    ["a tool profile", { toolProfile: "full" }],
    ["a template", { promptTemplate: " {prompt}" }],
  ])("not with %s", async (_name, arm) => {
    expect(await codesOf({ name: "a" }, { name: "b", ...arm })).toEqual([]);
  });
});

test("files are found beside the manifest, wherever it is loaded from", async () => {
  folder.put("shared/oracle.mjs", "\ufeffprocess.exit(1);");
  folder.put("prompts/dates.md", "\ufeffAccept ISO dates.\r\n");
  folder.put("fixtures/dates/src/parse.js", "parse");
  chmodSync(folder.put("fixtures/dates/run.sh", "#!/bin/sh\n"), 0o755);
  folder.put("fixtures/dates/logo.png", Buffer.from([0x89, 0, 255]));
  const path = folder.put(
    "cohorts/dates.json",
    JSON.stringify({
      ...documented,
      tasks: [
        {
          ...{ id: "dates", promptFile: "../prompts/dates.md", oracleFile: folder.path("shared/oracle.mjs") },
          ...{ fixture: "../fixtures/dates", solution: "../fixtures/dates/src" },
        },
      ],
    }),
  );
  const { manifest } = await loadManifest(path);
  expect(manifest.tasks[0]).toMatchObject({
    ...{ prompt: "Accept ISO dates.\r\n", oracle: "process.exit(1);" },
    files: [
      { path: "logo.png", content: Buffer.from([0x89, 0, 255]), executable: false },
      { path: "run.sh", content: Buffer.from("#!/bin/sh\n"), executable: true },
      { path: "src/parse.js", content: Buffer.from("parse"), executable: false },
    ],
    solution: [{ path: "parse.js", content: Buffer.from("parse"), executable: false }],
  });
});

test("a byte order mark is no part of a manifest", async () => {
  const { manifest } = await loadManifest(folder.put("m.json", `\ufeff${JSON.stringify(withArm({}))}`));
  expect(manifest.model).toBe("provider/model");
});

test("10,000 tasks are loaded", async () => {
  const tasks = Array.from({ length: 10_000 }, (_, index) => ({
    ...task,
    id: `t${index}`,
    files: [{ path: "a.js", content: "x".repeat(2500) }],
  }));
  expect((await folder.load({ ...documented, tasks })).manifest.tasks).toHaveLength(10_000);
});
