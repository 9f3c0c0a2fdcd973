import { z } from "zod";
import { featureNames, sandboxes, toolProfiles, type JsonObject } from "./resolved.ts";
import { Command, FileList, Name, text, VariableName } from "./shapes.ts";

/** An environment variable, which carries a CLI's configuration, holds at most 128 KiB on Linux. */
const mostConfigCharacters = 32_000;

export const Features = z.strictObject({
  context_recovery: z.boolean().optional().describe("Experimental flag context_recovery; off by default."),
  mcp_tool_discovery: z.boolean().optional().describe("Experimental flag mcp_tool_discovery; off by default."),
  tail_reminders: z.boolean().optional().describe("Experimental flag tail_reminders; off by default."),
  read_only_recipes: z.boolean().optional().describe("Experimental flag read_only_recipes; off by default."),
});

export const ManifestArm = z
  .strictObject({
    name: Name.describe("How records and comparisons name the arm."),
    features: Features.optional().describe("Experimental flags of ax-code in this arm; all are off by default."),
    toolProfile: z.enum(toolProfiles).optional().describe("Tool profile of ax-code; default: its own."),
    command: Command.optional().describe("argv of the CLI in this arm, as for two builds; default: the manifest's."),
    config: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Merged (RFC 7396) into the CLI's own configuration; it must not contradict features."),
    env: z
      .record(VariableName, text(0, 32_000).describe("Value of the variable."))
      .optional()
      .describe("Environment variables of this arm, by name."),
    sandbox: z.enum(sandboxes).optional().describe("Passed to the CLI in this arm; default: the manifest's."),
    files: FileList.optional().describe(
      "Files laid over the work tree in this arm, kept out of Git's status and diff.",
    ),
    autonomous: z.boolean().optional().describe("Autonomous mode of ax-code; default: its configuration's."),
    promptTemplate: text(1, 16_000)
      .refine((template) => template.split("{prompt}").length === 2, "must hold {prompt} exactly once")
      .optional()
      .describe("What this arm is asked; {prompt}, exactly once, stands for the task's prompt."),
  })
  .superRefine(({ features = {}, config = {} }, context) => {
    const { experimental } = config;
    const issue = (path: string[], message: string, fix: string) =>
      context.addIssue({ code: "custom", path: ["config", ...path], message, params: { fix } });
    if (JSON.stringify(config).length > mostConfigCharacters) {
      issue([], `has over ${mostConfigCharacters} characters as JSON`, "put the rest into a file of the arm");
    }
    if (experimental === undefined) return;
    if (typeof experimental !== "object" || experimental === null || Array.isArray(experimental)) {
      issue(["experimental"], "would replace the arm's features", "give an object, or leave it out");
      return;
    }
    for (const name of featureNames) {
      const stated = Object.hasOwn(experimental, name) ? (experimental as JsonObject)[name] : undefined;
      if (stated === undefined || stated === (features[name] ?? false)) continue;
      issue(["experimental", name], "contradicts the arm's features", `set it in features.${name} only`);
    }
  });
export type ManifestArm = z.infer<typeof ManifestArm>;
