import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

/**
 * The file that starting `program` would run, searched as execvp does; null when there is none.
 * @param env its `PATH` is searched.
 */
export async function findExecutable(program: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  const candidates = program.includes("/")
    ? [program]
    : (env.PATH ?? "").split(delimiter).map((folder) => join(folder === "" ? "." : folder, program));
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
