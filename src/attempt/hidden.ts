import { existsSync, fstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { contains, temporaryFolders, type Hidden } from "../process/sandbox.ts";

/** No program starts without these, so that none can be hidden as a whole. */
const systemFolders = new Set(
  "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /media /mnt /nix /opt /proc /root /run /sbin /srv /sys /tmp /usr /var".split(
    " ",
  ),
);

/**
 * What to hide so that no agent reads the secrets of an experiment: the repository around each, since an older version of it may
 * lie in its history or beside it; where HOME lies in that, the folder around it; else the file alone.
 * @param secrets absolute paths of files and folders; what does not exist is nothing to hide.
 * @param homes absolute paths of folders that agents write.
 * @param exposed absolute paths that agents are to read all the same.
 */
export function hiddenAround(
  secrets: Iterable<string>,
  { homes, exposed }: { homes: readonly string[]; exposed: readonly string[] },
): Hidden[] {
  const found = new Map<string, Hidden["kind"]>();
  const [kept, shown] = [homes.flatMap(realPath), exposed.flatMap(realPath)];
  const isFree = (folder: string): boolean =>
    !systemFolders.has(folder) &&
    !kept.some((home) => contains(folder, home)) &&
    !shown.some((path) => contains(path, folder));
  for (const path of new Set([...secrets].flatMap(realPath))) {
    const kind = statSync(path).isDirectory() ? "folder" : "file";
    const folder = kind === "folder" ? path : dirname(path);
    const repository = enclosingRepository(folder);
    const whole = [repository, folder].find((one) => one !== null && isFree(one));
    found.set(whole ?? path, whole === undefined ? kind : "folder");
    if (whole === undefined && repository !== null) {
      const history = join(repository, ".git");
      found.set(history, statSync(history).isDirectory() ? "folder" : "file");
    }
  }
  return [...found].map(([path, kind]) => ({ path, kind }));
}

/** The files that standard output and standard error go to; records may be in one. */
export function outputFiles(): string[] {
  return [1, 2].flatMap((descriptor) => {
    try {
      return fstatSync(descriptor).isFile() ? [readlinkSync(`/proc/self/fd/${descriptor}`)] : [];
    } catch {
      return [];
    }
  });
}

/**
 * What of the hidden must be there to read, so that a program in it can start: its installed packages, its folder where no secret
 * is in it, or the file alone.
 */
export function readableFor(program: string, hidden: readonly Hidden[], secrets: Iterable<string>): string[] {
  const [kept, blank] = [[...secrets].flatMap(realPath), [...hidden.map(({ path }) => path), ...temporaryFolders()]];
  const paths = [...new Set([program, ...realPath(program)])];
  return paths
    .filter((path) => blank.some((outer) => contains(outer, path)))
    .map((path) => {
      const packages = /^(.*?\/node_modules)\//.exec(path)?.[1];
      if (packages !== undefined) return packages;
      const folder = dirname(path);
      return [...kept, ...blank].some((inner) => contains(folder, inner)) ? path : folder;
    });
}

function enclosingRepository(folder: string): string | null {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(join(path, ".git"))) return path;
    if (path === "/") return null;
  }
}

function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
