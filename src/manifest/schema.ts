import { z } from "zod";
import { pathProblem } from "./paths.ts";
import { agentNames, homes, sandboxes, toolProfiles } from "./resolved.ts";

const name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 of the characters A-Z a-z 0-9 _ -");
const text = (least: number, most: number) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !/[\0\p{Surrogate}]/u.test(value), "holds a NUL or half a surrogate pair");
const command = z.array(text(0, 4000)).min(1).max(20);
const timeoutMs = z.int().min(100).max(86_400_000);
const oracleTimeoutMs = timeoutMs.describe("Milliseconds that an oracle may take.");

const FixturePath = text(1, 300).superRefine((path, context) => {
  const problem = pathProblem(path);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const ManifestFile = z.strictObject({
  path: FixturePath.describe("Relative path in the work tree, with / between folders."),
  content: text(0, 64_000).describe("The file's text, byte for byte in UTF-8."),
});
const files = z.array(ManifestFile).min(1).max(100);
const filePath = text(1, 4000);

const Features = z.strictObject({
  context_recovery: z.boolean().optional().describe("ax-code's experimental flag; off by default."),
  mcp_tool_discovery: z.boolean().optional().describe("ax-code's experimental flag; off by default."),
  tail_reminders: z.boolean().optional().describe("ax-code's experimental flag; off by default."),
  read_only_recipes: z.boolean().optional().describe("ax-code's experimental flag; off by default."),
});

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be a name of an environment variable");

const ManifestArm = z.strictObject({
  name: name.describe("How records and comparisons name the arm."),
  features: Features.optional().describe("Experimental flags of ax-code that are on in this arm."),
  toolProfile: z.enum(toolProfiles).optional().describe("ax-code's tool profile."),
  command: command.optional().describe("argv of the CLI in this arm, to compare two builds."),
  config: z.record(z.string(), z.json()).optional().describe("Merged (RFC 7396) into the CLI's own configuration."),
  env: z.record(variable, text(0, 32_000)).optional().describe("Environment variables of this arm."),
  sandbox: z.enum(sandboxes).optional().describe("Sandbox of this arm, passed to the CLI."),
  files: files.optional().describe("Files laid over the work tree in this arm only, hidden from git status."),
  autonomous: z.boolean().optional().describe("ax-code's autonomous mode."),
  promptTemplate: text(1, 16_000)
    .refine((value) => value.split("{prompt}").length === 2, "must hold {prompt} exactly once")
    .optional()
    .describe("The prompt of this arm; {prompt} stands for the task's."),
});

const ManifestTask = z.strictObject({
  id: name.describe("How records name the task."),
  prompt: text(1, 16_000).optional().describe("What the agent is asked."),
  promptFile: filePath.optional().describe("File that holds the prompt, relative to the manifest."),
  files: files.optional().describe("The fixture's files."),
  fixture: filePath.optional().describe("Folder that holds the fixture's files, relative to the manifest."),
  oracle: text(1, 24_000)
    .optional()
    .describe("JavaScript of the oracle, an ES module; process.argv[1] is the workspace."),
  oracleFile: filePath.optional().describe("File that holds the oracle, relative to the manifest."),
  setup: z.array(command).max(20).optional().describe("Commands run in the workspace before the clock starts."),
  solution: z
    .union([files, filePath])
    .optional()
    .describe("Files that make the oracle pass, or a folder that holds them; the agent never sees them."),
  timeoutMs: timeoutMs.optional().describe("Milliseconds that an attempt at this task may take."),
  oracleTimeoutMs: oracleTimeoutMs.optional(),
  tags: z.array(name).max(50).optional().describe("For people."),
});

/** A manifest as it is written; docs/manifest.md explains each field. */
export const Manifest = z.strictObject({
  $schema: z.string().optional().describe("For editors; outside the cohort id."),
  name: text(1, 300).optional().describe("For people; outside the cohort id."),
  description: text(0, 10_000).optional().describe("For people; outside the cohort id."),
  model: text(3, 300)
    .regex(/^[^/\s][^/]*\/\S+$/, "must be provider/model")
    .describe("provider/model, one for both arms."),
  runtimeRevision: text(1, 300).describe("What the operator says is under test, such as a version or a commit."),
  agent: z.enum(agentNames).default("ax-code").describe("The coding-agent CLI."),
  command: command
    .optional()
    .describe("argv of the CLI; default: the agent's own name. A path is relative to the manifest."),
  repetitions: z.int().min(1).max(1000).default(3).describe("Planned replicates of each task."),
  timeoutMs: timeoutMs.default(120_000).describe("Milliseconds that an attempt may take."),
  oracleTimeoutMs: oracleTimeoutMs.default(10_000),
  sandbox: z.enum(sandboxes).default("workspace-write").describe("Passed to the CLI."),
  home: z
    .enum(homes)
    .default("inherit")
    .describe("HOME of the agent: the operator's, a new one per attempt, or one for all."),
  passEnv: z
    .array(variable)
    .max(1000)
    .optional()
    .describe("With it the agent sees a small base and these variables only."),
  margin: z.number().min(0).max(1).optional().describe("Smallest loss of success rate that would matter, 0 to 1."),
  arms: z.tuple([ManifestArm, ManifestArm]).describe("The baseline, then the candidate."),
  tasks: z.array(ManifestTask).min(1).max(10_000).describe("What both arms attempt."),
});
export type Manifest = z.infer<typeof Manifest>;
export type ManifestArm = z.infer<typeof ManifestArm>;
export type ManifestTask = z.infer<typeof ManifestTask>;
export type ManifestFile = z.infer<typeof ManifestFile>;

/** The JSON Schema of a manifest as it is written, for editors. */
export function manifestJsonSchema(): object {
  return { title: "harness-eval manifest", ...z.toJSONSchema(Manifest, { io: "input" }) };
}

/** Every key that a manifest may hold anywhere, to find the one that was meant. */
export function knownKeys(): string[] {
  const objects = [Manifest, ManifestArm, ManifestTask, ManifestFile, Features];
  return [...new Set(objects.flatMap((object) => Object.keys(object.shape)))];
}
