import { describe, expect, test } from "vitest";
import { defaults, documented, task, temporaryFolder, withArm, withFiles, withTask, type Fields } from "./example.ts";

const folder = temporaryFolder();

const long = (length: number) => "x".repeat(length);
const several = <T>(count: number, entry: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => entry(i));
const tooLarge = several(17, (index) => ({ path: `${index}`, content: long(60_000) }));

describe("a rule that is broken is one line, with field and value", () => {
  test.each<[string, Fields, string]>([
    ["no model", { ...documented, model: undefined }, "model: the field is missing; add it"],
    ["a model alone", { ...documented, model: "model" }, 'model: must be provider/model (found "model")'],
    ["a provider alone", { ...documented, model: "me/" }, 'model: must be provider/model (found "me/")'],
    ["a model with a NUL", { ...documented, model: "a/b\0" }, "model: must not hold a NUL"],
    ["a model too long", { ...documented, model: `a/${long(299)}` }, "model: must have at most 300 characters"],
    ["no revision", { ...documented, runtimeRevision: "" }, 'runtimeRevision: must not be empty (found "")'],
    ["an empty command", { ...documented, command: [] }, "command: must not be empty"],
    ["a command without program", { ...documented, command: ["", "x"] }, "command[0]: the program's name is empty"],
    ["a command too long", { ...documented, command: several(21, () => "x") }, "command: must have at most 20 entries"],
    ["an argument too long", { ...documented, command: ["x", long(4001)] }, "command[1]: must have at most 4000"],
    ["an argument with a NUL", { ...documented, command: ["x", "a\0b"] }, "command[1]: must not hold a NUL"],
    ["no repetition", { ...documented, repetitions: 0 }, "repetitions: must be at least 1 (found 0)"],
    ["half a repetition", { ...documented, repetitions: 1.5 }, "repetitions: must be a whole number (found 1.5)"],
    ["too many repetitions", { ...documented, repetitions: 1001 }, "repetitions: must be at most 1000 (found 1001)"],
    ["words for a number", { ...documented, repetitions: "3" }, "repetitions: must be a number, not a string (found"],
    ["too short a time-out", { ...documented, timeoutMs: 99 }, "timeoutMs: must be at least 100 (found 99)"],
    ["too long a time-out", { ...documented, timeoutMs: 86_400_001 }, "timeoutMs: must be at most 86400000"],
    ["no time for the oracle", { ...documented, oracleTimeoutMs: 0 }, "oracleTimeoutMs: must be at least 100"],
    ["an unknown agent", { ...documented, agent: "ax_code" }, "agent: must be one of ax-code, opencode, pi (found"],
    ["an unknown sandbox", { ...documented, sandbox: "none" }, "sandbox: must be one of read-only, workspace-write"],
    ["an unknown home", { ...documented, home: "freh" }, 'home: must be one of inherit, fresh, cohort (found "freh");'],
    ["a name that is no variable", { ...documented, passEnv: ["A B"] }, "passEnv[0]: is no name of an environment"],
    ["a margin over 1", { ...documented, margin: 1.1 }, "margin: must be at most 1 (found 1.1)"],
    ["a margin below 0", { ...documented, margin: -0.1 }, "margin: must be at least 0 (found -0.1)"],
    ["a margin of null", { ...documented, margin: null }, "margin: must be a number, not null"],
    ["one arm", { ...documented, arms: [{ name: "a" }] }, "arms: must have at least 2 entries"],
    ["three arms", { ...documented, arms: several(3, (i) => ({ name: `${i}` })) }, "arms: must have at most 2 entries"],
    ["arms by name", { ...documented, arms: {} }, "arms: must be a list, not an object"],
    ["an arm without a name", withArm({ name: undefined }), "arms[1].name: the field is missing"],
    [
      "a name with a space",
      withArm({ name: "a b" }),
      'must be 1 to 64 of the characters A-Z a-z 0-9 _ - (found "a b")',
    ],
    ["a name too long", withArm({ name: long(65) }), "arms[1].name: must be 1 to 64 of the characters"],
    ["equal arm names", withArm({ name: "baseline" }), "arms[1].name: stands twice, first at arms[0] (found"],
    ["a feature as a word", withArm({ features: { tail_reminders: "on" } }), "must be true or false, not a string"],
    ["an unknown profile", withArm({ toolProfile: "Core" }), "one of full, core, coding (found"],
    ["a bad variable name", withArm({ env: { "A-B": "hush" } }), "arms[1].env.A-B: is no name of an environment"],
    ["a value of a variable", withArm({ env: { A: 12_345 } }), "arms[1].env.A: must be a string, not a number"],
    ["a NUL in a variable", withArm({ env: { A: "hush\0" } }), "arms[1].env.A: must not hold a NUL"],
    ["a list as configuration", withArm({ config: [] }), "arms[1].config: must be an object, not a list"],
    ["too much configuration", withArm({ config: { a: long(32_000) } }), "arms[1].config: has over 32000 characters"],
    ["no file in a list", withArm({ files: [] }), "arms[1].files: must not be empty"],
    ["a template without place", withArm({ promptTemplate: "x" }), "promptTemplate: must hold {prompt} exactly once"],
    ["a template with two", withArm({ promptTemplate: "{prompt}{prompt}" }), "must hold {prompt} exactly once"],
    ["a template with a NUL", withArm({ promptTemplate: "\0{prompt}" }), "promptTemplate: must not hold a NUL"],
    ["no task", { ...documented, tasks: [] }, "tasks: must not be empty"],
    ["equal ids", { ...documented, tasks: [task, task] }, "tasks[1].id: stands twice, first at tasks[0] (found"],
    ["neither prompt nor file", withTask({ prompt: undefined }), "tasks[0]: has neither prompt nor promptFile; give"],
    ["both oracles", withTask({ oracleFile: "x" }), "tasks[0].oracleFile: stands beside oracle (found"],
    ["neither files nor folder", withTask({ files: undefined }), "has neither files nor fixture; give exactly one of"],
    ["a prompt too long", withTask({ prompt: long(16_001) }), "tasks[0].prompt: must have at most 16000 characters"],
    ["a prompt with a NUL", withTask({ prompt: "\0" }), "tasks[0].prompt: must not hold a NUL"],
    ["half a surrogate pair", withTask({ prompt: "\ud800" }), "tasks[0].prompt: holds half of a surrogate pair"],
    ["half a pair as key", withArm({ config: { "\udc00": 1 } }), "holds half of a surrogate pair"],
    ["an oracle too long", withTask({ oracle: long(24_001) }), "tasks[0].oracle: must have at most 24000 characters"],
    ["an oracle of no text", withTask({ oracle: "" }), "tasks[0].oracle: must not be empty"],
    ["no file", withTask({ files: [] }), "tasks[0].files: must not be empty"],
    ["101 files", withFiles(...several(101, String)), "tasks[0].files: must have at most 100 entries"],
    [
      "a content too long",
      withTask({ files: [{ path: "a", content: long(64_001) }] }),
      "content: must have at most 64000",
    ],
    [
      "files too large",
      withTask({ files: tooLarge }),
      "tasks[0].files: the files have 1020000 bytes, more than 1000000",
    ],
    ["a file without content", withTask({ files: [{ path: "a" }] }), "tasks[0].files[0].content: the field is missing"],
    ["a setup of words", withTask({ setup: ["npm ci"] }), "tasks[0].setup[0]: must be a list, not a string"],
    ["a solution of a number", withTask({ solution: 1 }), "tasks[0].solution: must be a list of files or a folder's"],
    ["a bad solution", withTask({ solution: [{ path: "/a", content: "" }] }), "solution[0].path: the path is absolute"],
    [
      "a bad file of an arm",
      withArm({ files: [{ path: "../a", content: "" }] }),
      "arms[1].files[0].path: the path has",
    ],
    ["a bad tag", withTask({ tags: ["a b"] }), "tasks[0].tags[0]: must be 1 to 64 of the characters"],
  ])("%s", async (_name, manifest, line) => {
    const lines = await folder.refusalOf(manifest);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^manifest\.json:\d+:\d+: /);
    expect(lines[0]).toContain(line);
  });
});

describe("a path that no work tree may hold", () => {
  test.each([
    ["", "the path is empty"],
    ["/etc/passwd", "the path is absolute"],
    ["a//b", "an empty component"],
    ["a/", "an empty component"],
    ["./a", "a component . or .."],
    ["a/../../b", "a component . or .."],
    ["a\\b", "a backslash, a colon or a NUL"],
    ["c:x", "a backslash, a colon or a NUL"],
    ["a\0b", "a backslash, a colon or a NUL"],
    [".git", "a component .git"],
    ["sub/.git/hooks/x", "a component .git"],
    [".GIT/config", "a component .git"],
    ["git~1/config", "a component .git"],
    [".git . /x", "a component .git"],
    [".g\u200cit/x", "a component .git"],
    [`a/${long(256)}`, "a component of over 255 bytes"],
    ["ü".repeat(150), "a component of over 255 bytes"],
    [`${long(200)}/${long(100)}`, "over 300 characters"],
  ])("%j", async (path, message) => {
    const lines = await folder.refusalOf(withFiles(path));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("tasks[0].files[0].path: ");
    expect(lines[0]).toContain(message);
  });

  test("is one that stands twice", async () => {
    expect(await folder.refusalOf(withFiles("a", "b", "a"))).toEqual([
      'manifest.json:30:11: tasks[0].files[2].path: the path stands twice, first at [0] (found "a")',
    ]);
  });

  test("is one that needs a file as a folder, in any order", async () => {
    const message = "the path needs as a folder what is a file at";
    expect(await folder.refusalOf(withFiles("a/b/c", "d", "a"))).toEqual([
      `manifest.json:22:11: tasks[0].files[0].path: ${message} [2] (found "a/b/c")`,
    ]);
    expect(await folder.refusalOf(withFiles("a", "a/b"))).toEqual([
      `manifest.json:26:11: tasks[0].files[1].path: ${message} [0] (found "a/b")`,
    ]);
  });

  test("is none of these", async () => {
    const paths = ["A", "a", ".gitignore", ".git-x/y", "git~2", "...", "..a", "a..", "-", " ", "~", "%2e%2e/x", "\n"];
    const { manifest } = await folder.load(withFiles(...paths));
    expect(manifest.tasks[0]?.files.map(({ path }) => path)).toEqual(paths.toSorted());
  });
});

describe("an unknown key leads to the one that was meant", () => {
  test.each<[string, Fields, string]>([
    ["repetitons", { ...documented, repetitons: 1 }, "repetitons: unknown key; did you mean repetitions?"],
    ["timeout_ms", { ...documented, timeout_ms: 1 }, "timeout_ms: unknown key; did you mean timeoutMs?"],
    ["tailReminders", withArm({ features: { tailReminders: true } }), "did you mean tail_reminders?"],
    ["content of a file", withTask({ files: [{ path: "a", content: "", contents: "" }] }), "did you mean content?"],
    ["key of another place", withArm({ timeoutMs: 1 }), "it belongs in the manifest itself or a task"],
    ["key of a file", withTask({ path: "x" }), "tasks[0].path: unknown key; it belongs in an entry of files"],
    ["what nobody knows", { ...documented, colour: "red" }, "colour: unknown key; remove it; docs/manifest.md has"],
    ["what comes later", withArm({ skills: ["x"] }), "arms[1].skills: unknown key"],
    ["key with blanks", { ...documented, "a\nb": 1 }, '["a\\nb"]: unknown key'],
    ["an enumerated value", withArm({ toolProfile: "codign" }), "did you mean coding?"],
  ])("%s", async (_name, manifest, line) => {
    const lines = await folder.refusalOf(manifest);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(line);
  });
});

describe("configuration that contradicts the features", () => {
  test.each<[string, Fields]>([
    ["on against off by default", { config: { experimental: { context_recovery: true } } }],
    ["off against on", { features: { context_recovery: true }, config: { experimental: { context_recovery: false } } }],
    ["removed", { config: { experimental: { context_recovery: null } } }],
    ["no boolean", { config: { experimental: { context_recovery: "true" } } }],
  ])("is refused: %s", async (_name, arm) => {
    expect(await folder.refusalOf(withArm(arm))).toEqual([
      expect.stringMatching(
        /arms\[1\]\.config\.experimental\.context_recovery: contradicts .*; set it in features\.context_recovery only$/,
      ),
    ]);
  });

  test.each([null, false, [], "x"])("is refused: all of them replaced by %j", async (experimental) => {
    expect(await folder.refusalOf(withArm({ config: { experimental } }))).toEqual([
      expect.stringContaining("arms[1].config.experimental: would replace the arm's features"),
    ]);
  });

  test("is not what says the same, or something else", async () => {
    const experimental = { context_recovery: true, tail_reminders: false, other: { a: 1 } };
    const { manifest } = await folder.load(
      withArm({ features: { context_recovery: true }, config: { experimental, context_recovery: 1 } }),
    );
    expect(manifest.arms[1].config).toEqual({ experimental, context_recovery: 1 });
  });
});

test("all problems are named at once, in the order of the text", async () => {
  const lines = await folder.refusalOf({
    ...defaults,
    model: "x",
    timeoutMs: 1,
    arms: [{ name: "a", features: { context_recovry: true } }, { name: "a" }],
    tasks: [
      { ...task, id: "b c", files: [{ path: "../x", content: 1 }] },
      { ...task, id: "d", prompt: undefined, promptFile: "none.md", oracle: undefined, oracleFile: "none.mjs" },
      { ...task, id: "d", promptFile: "x", tests: [] },
    ],
  });
  expect(lines.map((line) => line.replace(/ \(found.*|;.*/, ""))).toEqual([
    "manifest.json:1:1: runtimeRevision: the field is missing",
    "manifest.json:6:3: timeoutMs: must be at least 100",
    "manifest.json:11:3: model: must have at least 3 characters",
    "manifest.json:11:3: model: must be provider/model",
    "manifest.json:16:9: arms[0].features.context_recovry: unknown key",
    "manifest.json:20:7: arms[1].name: stands twice, first at arms[0]",
    "manifest.json:25:7: tasks[0].id: must be 1 to 64 of the characters A-Z a-z 0-9 _ -",
    "manifest.json:29:11: tasks[0].files[0].path: the path has a component . or ..",
    "manifest.json:30:11: tasks[0].files[0].content: must be a string, not a number",
    "manifest.json:43:7: tasks[1].promptFile: there is no such file",
    "manifest.json:44:7: tasks[1].oracleFile: there is no such file",
    "manifest.json:47:7: tasks[2].id: stands twice, first at tasks[1]",
    "manifest.json:56:7: tasks[2].promptFile: stands beside prompt",
    "manifest.json:57:7: tasks[2].tests: unknown key",
  ]);
});

describe("what no error may show", () => {
  const secret = "s3cret";
  test.each<[string, Fields]>([
    ["a prompt", withTask({ prompt: `${secret}\0` })],
    ["a prompt in the wrong place", { ...documented, prompt: secret }],
    ["a prompt of a later field", withTask({ slashCommand: secret })],
    ["a content", withTask({ files: [{ path: "a", content: `${secret}\ud800` }] })],
    ["contents instead of files", withTask({ files: secret })],
    ["contents in a list", withTask({ files: [secret] })],
    ["a solution in a list", withTask({ solution: [secret] })],
    ["an oracle", withTask({ oracle: [secret] })],
    ["an oracle too long", withTask({ oracle: secret.repeat(10_000) })],
    ["a task", { ...documented, tasks: [secret] }],
    ["an arm", { ...documented, arms: secret }],
    ["a value of the environment", withArm({ env: { TOKEN: `${secret}\0` } })],
    ["a key of the environment as it stands in a shell", withArm({ env: { [`TOKEN=${secret}`]: "" } })],
    ["the environment as a list", withArm({ env: [`TOKEN=${secret}`] })],
    ["the environment as text", withArm({ env: secret })],
    ["a name in the environment", withArm({ env: { model: 1, path: [secret], name: `${secret}\0` } })],
    ["configuration", withArm({ config: secret })],
    ["a value of the configuration", withArm({ config: { model: `${secret}\ud800` } })],
    ["an argument", { ...documented, command: ["ax-code", `--api-key=${secret}\0`] }],
    ["an argument of a setup", withTask({ setup: [["x", `${secret}\0`]] })],
    ["a template", withArm({ promptTemplate: secret })],
    ["the whole manifest", secret as unknown as Fields],
  ])("%s", async (_name, manifest) => {
    const lines = await folder.refusalOf(manifest);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain(secret);
  });

  test("a value that is shown is cut", async () => {
    const lines = await folder.refusalOf({ ...documented, agent: long(5000) });
    expect(lines[0]).toContain(`(found "${long(58)}…)`);
    expect(lines[0]?.length).toBeLessThan(200);
  });
});
