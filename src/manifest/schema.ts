import { z } from "zod";
import { ManifestArm } from "./arm.ts";
import { agentNames, homes, sandboxes } from "./resolved.ts";
import { Command, Milliseconds, text, VariableName } from "./shapes.ts";
import { ManifestTask } from "./task.ts";

/** A manifest as it is written; docs/manifest.md explains each field. */
export const Manifest = z.strictObject({
  $schema: z.string().optional().describe("Where an editor finds this schema; outside the cohort id."),
  name: text(1, 300).optional().describe("For people and records; outside the cohort id."),
  description: text(0, 10_000).optional().describe("For people; outside the cohort id."),
  model: text(3, 300)
    .regex(/^[^/\s]+\/\S.*$/, "must be provider/model")
    .describe("provider/model, the same for both arms."),
  runtimeRevision: text(1, 300).describe("What you say is under test, as a version or a commit."),
  agent: z.enum(agentNames).default("ax-code").describe("The coding-agent CLI."),
  command: Command.optional().describe(
    "argv of the CLI; default: the agent's name, found on the PATH. A program with a slash is relative to the manifest's folder.",
  ),
  repetitions: z.int().min(1).max(1000).default(3).describe("Times that each arm attempts each task."),
  timeoutMs: Milliseconds.default(120_000).describe("Milliseconds that an attempt may take."),
  oracleTimeoutMs: Milliseconds.default(10_000).describe("Milliseconds that an oracle may take."),
  sandbox: z.enum(sandboxes).default("workspace-write").describe("Passed to the CLI."),
  home: z
    .enum(homes)
    .default("inherit")
    .describe("HOME of the agent: the operator's own, a new one for each attempt, or one new one for the cohort."),
  network: z
    .enum(["inherit", "none"])
    .default("inherit")
    .describe(
      "What the agent and the oracle reach: the machine's network, or none, not even this machine by its address.",
    ),
  passEnv: z
    .array(VariableName)
    .max(1000)
    .optional()
    .describe("With it the agent's environment holds a small base and these variables only; default: all."),
  margin: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("The smallest loss of success rate that would matter, 0 to 1, declared before the run."),
  arms: z.tuple([ManifestArm, ManifestArm]).describe("Exactly two: the baseline, then the candidate."),
  tasks: z.array(ManifestTask).min(1).max(10_000).describe("What both arms attempt, in this order."),
});
export type Manifest = z.infer<typeof Manifest>;

/** The JSON Schema of a manifest as it is written, of the draft that editors know best. */
export function manifestJsonSchema(): object {
  return { title: "harness-eval manifest", ...z.toJSONSchema(Manifest, { io: "input", target: "draft-7" }) };
}
