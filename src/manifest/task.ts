import { z } from "zod";
import { Command, FileList, Glob, limits, ManifestPath, Milliseconds, Name, text } from "./shapes.ts";

/** Each pair of keys of which a task gives exactly one. */
const alternatives = [
  ["prompt", "promptFile"],
  ["oracle", "oracleFile"],
  ["files", "fixture"],
] as const;

export const ManifestTask = z
  .strictObject({
    id: Name.describe("How records name the task; unique."),
    prompt: text(1, limits.prompt).optional().describe("What the agent is asked. Give this or promptFile."),
    promptFile: ManifestPath.optional().describe("File that holds the prompt, relative to the manifest's folder."),
    files: FileList.optional().describe("The fixture: the files of the work tree. Give this or fixture."),
    fixture: ManifestPath.optional().describe("Folder that holds the fixture, relative to the manifest's folder."),
    oracle: text(1, limits.oracle)
      .optional()
      .describe("JavaScript of an ES module that judges the work tree process.argv[1]. Give this or oracleFile."),
    oracleFile: ManifestPath.optional().describe("File that holds the oracle, relative to the manifest's folder."),
    setup: z
      .array(Command)
      .max(20)
      .optional()
      .describe("Commands (argv, no shell) run in the work tree before the clock starts; default: none."),
    solution: z
      .union([FileList, ManifestPath])
      .optional()
      .describe("Files, or a folder of them, that make the oracle pass over the fixture; the agent never sees them."),
    protected: z
      .array(Glob)
      .min(1)
      .max(100)
      .optional()
      .describe("Globs of files that the oracle sees as they were before the agent started; default: none."),
    timeoutMs: Milliseconds.optional().describe("Milliseconds for an attempt at this task; default: the manifest's."),
    oracleTimeoutMs: Milliseconds.optional().describe("Milliseconds for this oracle; default: the manifest's."),
    tags: z.array(Name).max(50).optional().describe("Words to group tasks by; default: none."),
  })
  .superRefine((task, context) => {
    for (const [one, other] of alternatives) {
      const fix = `give exactly one of ${one} and ${other}`;
      if (task[one] === undefined && task[other] === undefined) {
        context.addIssue({ code: "custom", message: `has neither ${one} nor ${other}`, params: { fix } });
      }
      if (task[one] !== undefined && task[other] !== undefined) {
        context.addIssue({ code: "custom", path: [other], message: `stands beside ${one}`, params: { fix } });
      }
    }
  })
  // The same rule for editors.
  .meta({ allOf: alternatives.map((pair) => ({ oneOf: pair.map((key) => ({ required: [key] })) })) });
export type ManifestTask = z.infer<typeof ManifestTask>;
