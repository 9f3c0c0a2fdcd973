import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** What execvp searches where there is no `PATH`. */
const systemPath = "/bin:/usr/bin";

/**
 * The file that starting `program` would run, searched as execvp does; null when there is none.
 * @param env its `PATH` is searched, without folders that are relative: these lead elsewhere from every workspace.
 */
export async function findExecutable(program: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  const folders = (env.PATH ?? systemPath).split(delimiter).filter(isAbsolute);
  const candidates = program.includes("/") ? [program] : folders.map((folder) => join(folder, program));
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
