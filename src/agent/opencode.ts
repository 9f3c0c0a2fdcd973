import type { Agent } from "./agent.ts";
import { inlineConfig, inlineConfigRefusals } from "./inline-config.ts";
import { mergePatch } from "./merge.ts";
import { assertNotRefused, axCodeOnlyRefusals, promptRefusals } from "./refusals.ts";
import { stepEventReader } from "./step-events.ts";

const configVariable = "OPENCODE_CONFIG_CONTENT";
const autoShareVariable = "OPENCODE_AUTO_SHARE";
/** No other version in the middle of a cohort, no session published. */
const quiet = { OPENCODE_DISABLE_AUTOUPDATE: "true", OPENCODE_DISABLE_SHARE: "true" };

/** opencode, `opencode run`; docs/agents.md has the facts. */
export const opencode: Agent = {
  name: "opencode",
  defaultCommand: ["opencode"],
  versionArguments: ["--version"],
  reservedVariables: [autoShareVariable, ...Object.keys(quiet)],
  reader: stepEventReader,
  invoke(input) {
    assertNotRefused(opencode, input);
    const { command, model, prompt, config } = input;
    const env = { ...input.env };
    delete env[autoShareVariable];
    // Without a title opencode asks the model for one: a request that the events do not show.
    const flags = ["--format", "json", "--model", model, "--title", "harness-eval"];
    return {
      argv: [...command, "run", ...flags, "--", prompt],
      env: {
        ...env,
        ...quiet,
        ...(config === undefined
          ? {}
          : { [configVariable]: JSON.stringify(mergePatch(inlineConfig(input.env, configVariable), config)) }),
      },
    };
  },
  refuses(asked) {
    return [
      ...promptRefusals(asked.prompt),
      ...(asked.config === undefined ? [] : inlineConfigRefusals(asked.env, configVariable)),
      ...axCodeOnlyRefusals("opencode", asked),
    ];
  },
};
