import { z } from "zod";
import { globProblem, pathConflicts, pathProblem } from "./paths.ts";

/** Characters are UTF-16 units, as JavaScript counts them. */
export const limits = { prompt: 16_000, oracle: 24_000, content: 64_000, listedFiles: 100, fixtureBytes: 1_000_000 };

/** Text that can stand in an argument, an environment variable or a file name. */
export function text(least: number, most: number) {
  return z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !value.includes("\0"), "must not hold a NUL character");
}

/** The name of an arm or a task. */
export const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 of the characters A-Z a-z 0-9 _ -");

export const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,299}$/, "is no name of an environment variable: letters, digits and _ only");

/** argv; never a shell line. */
export const Command = z
  .array(text(0, 4000))
  .min(1)
  .max(20)
  .refine((argv) => argv[0] !== "", { error: "the program's name is empty", path: [0] });

export const Milliseconds = z.int().min(100).max(86_400_000);

/** A path of a file or folder that the manifest names, relative to the manifest's folder. */
export const ManifestPath = text(1, 4000);

const FixturePath = z
  .string()
  .superRefine((path, context) => {
    const message = pathProblem(path);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  // For editors: the part of the rule that a short pattern can say.
  .meta({ minLength: 1, maxLength: 300, pattern: "^[^/\\\\:\\u0000]+(/[^/\\\\:\\u0000]+)*$" });

/** Of paths in a work tree; of a manifest that is trusted, so that a slow one is nobody's weapon. */
export const Glob = z.string().superRefine((glob, context) => {
  const message = globProblem(glob);
  if (message !== null) context.addIssue({ code: "custom", message });
});

export const ManifestFile = z.strictObject({
  path: FixturePath.describe("Path in the work tree, relative, with / between folders; unique in its list."),
  content: z.string().max(limits.content).describe("The file's text, written as UTF-8 byte for byte."),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

export const FileList = z
  .array(ManifestFile)
  .min(1)
  .max(limits.listedFiles)
  .superRefine((files, context) => {
    for (const { index, message } of pathConflicts(files.map(({ path }) => path))) {
      context.addIssue({ code: "custom", path: [index, "path"], message });
    }
    const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (bytes <= limits.fixtureBytes) return;
    context.addIssue({ code: "custom", message: `the files have ${bytes} bytes, more than ${limits.fixtureBytes}` });
  });
