import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { InvocationInput } from "../../src/agent/agent.ts";
import { agents } from "../../src/agent/registry.ts";
import { featureNames } from "../../src/manifest/resolved.ts";
import { InputError } from "../../src/problem.ts";

const off = Object.fromEntries(featureNames.map((name) => [name, false]));

function asked(changes: Partial<InvocationInput> = {}): InvocationInput {
  return {
    command: ["/opt/cli", "--own"],
    root: "/w/space",
    model: "scripted/model",
    sandbox: "workspace-write",
    prompt: "Fix it.",
    features: off,
    env: { PATH: "/bin", KEPT: "1" },
    ...changes,
  };
}

const { "ax-code": axCode, opencode, pi } = agents;

function configOf(changes: Partial<InvocationInput>): unknown {
  return JSON.parse(axCode.invoke(asked(changes)).env.AX_CODE_CONFIG_CONTENT ?? "");
}

const hostilePrompts = [
  "two words",
  "-rf --model other/model",
  "--help",
  "--",
  "---\ntitle: front matter\n---",
  "say \"hi\" and 'bye' `id` $(id) $HOME ${PATH} \\ !! %s * ~ #",
  "first line\nsecond\r\n\ttabbed\n\n",
  "🙂 naïve 漢字 \u0301\u200b\ufeff",
  " leading and trailing ",
  "@file",
  "install",
  "/council decide",
  "123",
  "a=b",
];

describe("ax-code", () => {
  test("is invoked as documented, every feature written", () => {
    expect(axCode.invoke(asked())).toEqual({
      argv: [
        ...["/opt/cli", "--own", "run", "--dir", "/w/space", "--model", "scripted/model"],
        ...["--sandbox", "workspace-write", "--format", "json", "--", "Fix it."],
      ],
      env: {
        PATH: "/bin",
        KEPT: "1",
        AX_CODE_ORIGINAL_CWD: "/w/space",
        AX_CODE_CONFIG_CONTENT: JSON.stringify({ experimental: off }),
      },
    });
    expect(axCode.defaultCommand).toEqual(["ax-code"]);
  });

  test.each(["read-only", "workspace-write", "full-access"] as const)("passes the sandbox %s on", (sandbox) => {
    const { argv } = axCode.invoke(asked({ sandbox }));
    expect(argv[argv.indexOf("--sandbox") + 1]).toBe(sandbox);
  });

  test("merges features, config and tool profile into the inherited configuration, in this order", () => {
    const inherited = {
      theme: "kept",
      autonomy: { profile: "quick", budget: { model_turns: { total: 9 } } },
      experimental: { context_recovery: false, tail_reminders: true, other: [1] },
      provider: { scripted: { options: { baseURL: "http://127.0.0.1:1", toolProfile: "full" } }, second: {} },
    };
    const config = configOf({
      env: { AX_CODE_CONFIG_CONTENT: JSON.stringify(inherited) },
      features: { ...off, context_recovery: true },
      config: { autonomy: { profile: null, budget: { model_turns: { total: 5 } } }, experimental: { another: 1 } },
      toolProfile: "core",
    });
    expect(config).toEqual({
      theme: "kept",
      autonomy: { budget: { model_turns: { total: 5 } } },
      experimental: { ...off, context_recovery: true, other: [1], another: 1 },
      provider: { scripted: { options: { baseURL: "http://127.0.0.1:1", toolProfile: "core" } }, second: {} },
    });
  });

  test("a tool profile belongs to the provider before the first slash", () => {
    expect(configOf({ model: "router/maker/model", toolProfile: "coding" })).toEqual({
      experimental: off,
      provider: { router: { options: { toolProfile: "coding" } } },
    });
  });

  test("an empty inherited configuration is none", () => {
    expect(configOf({ env: { AX_CODE_CONFIG_CONTENT: "" } })).toEqual({ experimental: off });
  });

  test.each(["{", "[]", "null", '"text"', "secret-token", "{} // comment"])(
    "the inherited configuration %s is refused, and not shown",
    (text) => {
      const input = asked({ env: { AX_CODE_CONFIG_CONTENT: text } });
      const clauses = axCode.refuses(input);
      expect(clauses).toHaveLength(1);
      expect(clauses[0]).toContain("AX_CODE_CONFIG_CONTENT");
      expect(clauses[0]).not.toContain(text);
      expect(() => axCode.invoke(input)).toThrow(InputError);
    },
  );

  test("an inherited AX_CODE_AUTONOMOUS is dropped; the arm's value is set", () => {
    const env = { AX_CODE_AUTONOMOUS: "true" };
    expect(axCode.invoke(asked({ env })).env).not.toHaveProperty("AX_CODE_AUTONOMOUS");
    expect(axCode.invoke(asked({ env, autonomous: false })).env.AX_CODE_AUTONOMOUS).toBe("false");
    expect(axCode.invoke(asked({ autonomous: true })).env.AX_CODE_AUTONOMOUS).toBe("true");
    expect(env).toEqual({ AX_CODE_AUTONOMOUS: "true" });
    expect(axCode.reservedVariables).toContain("AX_CODE_AUTONOMOUS");
  });

  test.each<[string, Partial<InvocationInput>, string[]]>([
    [
      "a feature set in config",
      { config: { experimental: { tail_reminders: true } } },
      ["experimental.tail_reminders"],
    ],
    ["a feature removed", { config: { experimental: { tail_reminders: null } } }, ["experimental.tail_reminders"]],
    ["all removed", { config: { experimental: null } }, featureNames.map((name) => `experimental.${name}`)],
    ["all replaced", { config: { experimental: 1 } }, featureNames.map((name) => `experimental.${name}`)],
    [
      "another tool profile",
      { config: { provider: { scripted: { options: { toolProfile: "full" } } } }, toolProfile: "core" },
      ["toolProfile"],
    ],
    ["another autonomous", { config: { autonomous: true }, autonomous: false }, ["autonomous"]],
  ])("%s against the arm's own field is refused", (_, changes, named) => {
    const clauses = axCode.refuses(asked(changes));
    expect(clauses).toHaveLength(named.length);
    for (const [index, name] of named.entries()) expect(clauses[index]).toContain(name);
  });

  test.each<Partial<InvocationInput>>([
    { config: { experimental: { tail_reminders: true } }, features: { ...off, tail_reminders: true } },
    { config: { autonomous: true }, autonomous: true },
    { config: { autonomous: true } },
    { config: { provider: { scripted: { options: { toolProfile: "core" } } } }, toolProfile: "core" },
    { config: { provider: "odd" }, toolProfile: "core" },
    { sandbox: "full-access" },
  ])("%j is accepted", (changes) => {
    expect(axCode.refuses(asked(changes))).toEqual([]);
  });
});

describe("opencode", () => {
  test("is invoked as documented", () => {
    const env = { PATH: "/bin", OPENCODE_AUTO_SHARE: "true", OPENCODE_CONFIG_CONTENT: "not touched" };
    expect(opencode.invoke(asked({ env }))).toEqual({
      argv: [
        ...["/opt/cli", "--own", "run", "--format", "json", "--model", "scripted/model"],
        ...["--title", "harness-eval", "--", "Fix it."],
      ],
      env: {
        PATH: "/bin",
        OPENCODE_CONFIG_CONTENT: "not touched",
        OPENCODE_DISABLE_AUTOUPDATE: "true",
        OPENCODE_DISABLE_SHARE: "true",
      },
    });
    expect(opencode.defaultCommand).toEqual(["opencode"]);
  });

  test("merges config into the inherited configuration", () => {
    const env = { OPENCODE_CONFIG_CONTENT: '{"theme":"kept","permission":{"bash":"ask","edit":"allow"}}' };
    const invocation = opencode.invoke(asked({ env, config: { permission: { bash: "allow" } } }));
    const { OPENCODE_CONFIG_CONTENT: merged = "" } = invocation.env;
    expect(JSON.parse(merged)).toEqual({ theme: "kept", permission: { bash: "allow", edit: "allow" } });
  });

  test("an inherited configuration that cannot be merged into is refused, and not shown", () => {
    const clauses = opencode.refuses(asked({ env: { OPENCODE_CONFIG_CONTENT: "{secret" }, config: {} }));
    expect(clauses).toHaveLength(1);
    expect(clauses[0]).toContain("OPENCODE_CONFIG_CONTENT");
    expect(clauses[0]).not.toContain("secret");
  });
});

describe("pi", () => {
  test("is invoked as documented", () => {
    expect(pi.invoke(asked())).toEqual({
      argv: [
        ...["/opt/cli", "--own", "--mode", "json", "--no-session", "--no-extensions", "--no-prompt-templates"],
        ...["--offline", "--provider", "scripted", "--model", "model", "-p", "Fix it."],
      ],
      env: { PATH: "/bin", KEPT: "1", PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    });
    expect(pi.defaultCommand).toEqual(["pi"]);
  });

  test.each([
    ["router/maker/model:free", "router", "maker/model:free"],
    // pi cuts one leading `router/` off.
    ["router/router/auto", "router", "router/router/auto"],
  ])("splits the model %s at the first slash", (model, provider, name) => {
    const { argv } = pi.invoke(asked({ model }));
    expect(argv[argv.indexOf("--provider") + 1]).toBe(provider);
    expect(argv[argv.indexOf("--model") + 1]).toBe(name);
  });

  test.each(["-rf", "-", "--", "--help", "-- -", "@", "@file read it"])(
    "refuses the prompt %j with the reason",
    (prompt) => {
      expect(pi.refuses(asked({ prompt }))).toEqual([expect.stringContaining("begins with")]);
      expect(() => pi.invoke(asked({ prompt }))).toThrow(InputError);
    },
  );

  test.each<Partial<InvocationInput>>([{ prompt: "" }, { config: {} }, { model: "model" }, { model: "/model" }])(
    "refuses %j",
    (changes) => {
      expect(pi.refuses(asked(changes))).toHaveLength(1);
    },
  );

  // pi's own parser, so that the order of the arguments is held against the real program.
  test("its parser takes every prompt that is not refused unchanged", async () => {
    const parser = new URL("../../node_modules/@mariozechner/pi-coding-agent/dist/cli/args.js", import.meta.url);
    const { parseArgs } = (await import(parser.href)) as { parseArgs: (argv: string[]) => Record<string, unknown> };
    const prompts = hostilePrompts.filter((prompt) => pi.refuses(asked({ prompt })).length === 0);
    expect(hostilePrompts.length - prompts.length).toBe(4);
    for (const prompt of prompts) {
      const parsed = parseArgs(pi.invoke(asked({ command: [], prompt })).argv);
      expect(parsed).toMatchObject({ messages: [prompt], fileArgs: [], diagnostics: [], mode: "json", print: true });
      expect(parsed).toMatchObject({ provider: "scripted", model: "model", noSession: true, offline: true });
      expect(parsed.unknownFlags).toEqual(new Map());
      expect([parsed.noSkills, parsed.noContextFiles]).toEqual([undefined, undefined]);
    }
  });
});

describe.each(Object.values(agents))("$name", (agent) => {
  test("hands every prompt that it does not refuse over as one unchanged argument, the last", () => {
    for (const prompt of hostilePrompts.filter((text) => agent.refuses(asked({ prompt: text })).length === 0)) {
      // A real program that prints its arguments, each ended by NUL.
      const { argv } = agent.invoke(asked({ command: ["printf", "%s\\0"], prompt }));
      const [program = "", ...rest] = argv;
      const seen = execFileSync(program, rest, { encoding: "utf8" }).split("\0").slice(0, -1);
      expect(seen.at(-1)).toBe(prompt);
      expect(seen).toEqual(argv.slice(2));
    }
  });

  test("refuses what no argument can carry", () => {
    for (const prompt of ["a\0b", "half \ud83d"]) {
      expect(agent.refuses(asked({ prompt }))).toHaveLength(1);
      expect(() => agent.invoke(asked({ prompt }))).toThrow(InputError);
    }
    expect(agent.refuses(asked({ prompt: "whole \ud83d\ude42" }))).toEqual([]);
  });

  test("leaves the environment that it was given as it was", () => {
    const env = Object.freeze({ PATH: "/bin", AX_CODE_AUTONOMOUS: "1", OPENCODE_AUTO_SHARE: "1" });
    expect(agent.invoke(asked({ env })).env).not.toBe(env);
  });

  test("its reserved variables are what it gives, whatever is inherited", () => {
    const inherited = Object.fromEntries(agent.reservedVariables.map((name) => [name, "inherited"]));
    const { env } = agent.invoke(asked({ env: inherited }));
    expect(agent.reservedVariables.filter((name) => env[name] === "inherited")).toEqual([]);
    expect(agent.reservedVariables.length).toBeGreaterThan(0);
  });
});

describe.each([opencode, pi])("$name refuses what only ax-code has:", (agent) => {
  test.each<[string, Partial<InvocationInput>, number]>([
    ["features", { features: { ...off, context_recovery: true, read_only_recipes: true } }, 2],
    ["a tool profile", { toolProfile: "full" }, 1],
    ["autonomous", { autonomous: false }, 1],
    ["another sandbox", { sandbox: "read-only" }, 1],
    ["a sandbox left off", { sandbox: "full-access" }, 1],
  ])("%s", (_, changes, count) => {
    const clauses = agent.refuses(asked(changes));
    expect(clauses).toHaveLength(count);
    for (const clause of clauses) expect(clause).toContain(agent.name);
  });
});

test("the registry names each agent by its name", () => {
  expect(Object.entries(agents).map(([key, agent]) => key === agent.name)).toEqual([true, true, true]);
});
