import type { Agent, InvocationInput } from "./agent.ts";
import { inlineConfig, inlineConfigRefusals } from "./inline-config.ts";
import { isObject, mergePatch } from "./merge.ts";
import { assertNotRefused, promptRefusals } from "./refusals.ts";
import { stepEventReader } from "./step-events.ts";

const configVariable = "AX_CODE_CONFIG_CONTENT";
const autonomousVariable = "AX_CODE_AUTONOMOUS";
const folderVariable = "AX_CODE_ORIGINAL_CWD";

type Treatment = Pick<InvocationInput, "model" | "features" | "toolProfile" | "config">;

/** ax-code, `ax-code run`; docs/agents.md has the facts. */
export const axCode: Agent = {
  name: "ax-code",
  defaultCommand: ["ax-code"],
  versionArguments: ["--version"],
  reservedVariables: [autonomousVariable, folderVariable],
  reader: stepEventReader,
  invoke(input) {
    assertNotRefused(axCode, input);
    const { command, root, model, sandbox, prompt, autonomous } = input;
    const env = { ...input.env };
    // Inherited, it would beat the arm's configuration.
    delete env[autonomousVariable];
    const config = configOf(inlineConfig(input.env, configVariable), input);
    const flags = ["--dir", root, "--model", model, "--sandbox", sandbox, "--format", "json"];
    return {
      argv: [...command, "run", ...flags, "--", prompt],
      env: {
        ...env,
        [folderVariable]: root,
        [configVariable]: JSON.stringify(config),
        ...(autonomous === undefined ? {} : { [autonomousVariable]: String(autonomous) }),
      },
    };
  },
  sandboxesTools: (sandbox) => sandbox !== "full-access",
  usesChildSessions({ prompt, config }) {
    const mode = at(config, "modes", "default");
    return mode === "council" || mode === "arena" || /^\s*\/(?:council|arena)\b/.test(prompt);
  },
  refuses(asked) {
    return [
      ...promptRefusals(asked.prompt),
      ...inlineConfigRefusals(asked.env, configVariable),
      ...contradictions(asked),
    ];
  },
};

/** Both arms state all their features, so that what the operator's own configuration says decides none of them. */
function configOf(inherited: unknown, treatment: Treatment): unknown {
  const { features, config = {}, toolProfile } = treatment;
  const merged = mergePatch(mergePatch(inherited, { experimental: features }), config);
  if (toolProfile === undefined) return merged;
  return mergePatch(merged, { provider: { [providerOf(treatment.model)]: { options: { toolProfile } } } });
}

/** One clause for each thing that `config` says otherwise than the arm's own field for it. */
function contradictions(asked: Treatment & Pick<InvocationInput, "autonomous">): string[] {
  const { features, config = {}, toolProfile, autonomous, model } = asked;
  const experimental = at(configOf({}, asked), "experimental");
  const profile = at(config, "provider", providerOf(model), "options", "toolProfile");
  const differs = (stated: unknown, field: unknown) => field !== undefined && stated !== undefined && stated !== field;
  return [
    ...Object.keys(features)
      .filter((name) => at(experimental, name) !== features[name])
      .map((name) => `\`config\` changes experimental.${name} against \`features\`; set it in \`features\` only`),
    ...(differs(profile, toolProfile)
      ? ["`config` sets a toolProfile other than `toolProfile`; set it in `toolProfile` only"]
      : []),
    ...(differs(at(config, "autonomous"), autonomous)
      ? ["`config` sets autonomous other than `autonomous`; set it in one of them only"]
      : []),
  ];
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function providerOf(model: string): string {
  return model.split("/", 1)[0] ?? model;
}
