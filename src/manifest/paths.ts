/**
 * Why a path cannot be a file of a work tree; null when it can. `/` stands between folders, case matters, and what Git
 * refuses to track on some system is refused on all.
 */
export function pathProblem(path: string): string | null {
  if (path === "") return "the path is empty";
  if (path.length > 300) return "the path has over 300 characters";
  if (/[\\:\0]/.test(path)) return "the path holds a backslash, a colon or a NUL";
  if (path.startsWith("/")) return "the path is absolute";
  for (const component of path.split("/")) {
    if (component === "") return "the path has an empty component";
    if (component === "." || component === "..") return "the path has a component . or ..";
    if (looksLikeDotGit(component)) return "the path has a component .git, or one that some system takes for it";
    if (Buffer.byteLength(component) > 255) return "the path has a component of over 255 bytes";
  }
  return null;
}

/** Why a glob cannot match paths of a work tree; null when it can. */
export function globProblem(glob: string): string | null {
  if (glob === "") return "the glob is empty";
  if (glob.length > 300) return "the glob has over 300 characters";
  if (/[\\\0]/.test(glob)) return "the glob holds a backslash or a NUL";
  if (glob.startsWith("!")) return "the glob begins with !, and there is nothing to take out from";
  if (glob.startsWith("/")) return "the glob is absolute; it is relative to the work tree";
  if (glob.endsWith("/")) return "the glob ends with /; a folder's files are folder/**";
  for (const component of glob.split("/")) {
    if (component === "") return "the glob has an empty component";
    if (component === "." || component === "..") return "the glob has a component . or ..";
  }
  return null;
}

/**
 * NTFS drops blanks and dots at the end of a name and knows the short name `git~1`; HFS+ ignores the characters below.
 * https://git-scm.com/docs/git-config: core.protectNTFS, core.protectHFS
 */
function looksLikeDotGit(component: string): boolean {
  const name = component.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "");
  return /^(\.git|git~1)[ .]*$/i.test(name);
}

/** What is wrong among paths that are each right: indexes of duplicates, and of files that need a file as a folder. */
export function pathConflicts(paths: readonly string[]): { index: number; message: string }[] {
  const first = new Map<string, number>();
  const conflicts: { index: number; message: string }[] = [];
  for (const [index, path] of paths.entries()) {
    const before = first.get(path);
    if (before === undefined) first.set(path, index);
    else conflicts.push({ index, message: `the path stands twice, first at [${before}]` });
  }
  for (const [index, path] of paths.entries()) {
    const file = foldersOf(path).find((folder) => first.has(folder));
    if (file === undefined) continue;
    conflicts.push({ index, message: `the path needs as a folder what is a file at [${first.get(file)}]` });
  }
  return conflicts;
}

/** `a` and `a/b` of `a/b/c`. */
function foldersOf(path: string): string[] {
  const components = path.split("/");
  return components.slice(1).map((_, index) => components.slice(0, index + 1).join("/"));
}
