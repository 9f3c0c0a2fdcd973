import { readdir, readlink } from "node:fs/promises";

/** Ids of the processes whose working directory is the folder or lies in it. */
export async function processesIn(folder: string): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => "")));
  return ids.filter((_, index) => `${folders[index]}/`.startsWith(`${folder}/`));
}
