/** Why a path cannot be a file of a fixture; null when it can. */
export function pathProblem(path: string): string | null {
  if (path === "") return "the path is empty";
  if (path.length > 300) return "the path has over 300 characters";
  if (/[\\:\0]/.test(path)) return "the path holds a backslash, a colon or a NUL";
  if (path.startsWith("/")) return "the path is absolute";
  for (const component of path.split("/")) {
    if (component === "") return "the path has an empty component";
    if (component === "." || component === "..") return "the path has a component . or ..";
    // Git refuses what other systems would take for .git.
    if (/^(\.git|git~1)[ .]*$/i.test(component)) return "the path has a component .git";
  }
  return null;
}

/** What is wrong among paths that are each right: indexes of duplicates, and of files that are folders of others. */
export function pathConflicts(paths: readonly string[]): { index: number; message: string }[] {
  const first = new Map<string, number>();
  const conflicts: { index: number; message: string }[] = [];
  for (const [index, path] of paths.entries()) {
    if (first.has(path)) conflicts.push({ index, message: `the path stands twice, first at [${first.get(path)}]` });
    else first.set(path, index);
  }
  for (const [index, path] of paths.entries()) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end);
      if (!first.has(folder)) continue;
      conflicts.push({
        index,
        message: `the path needs ${folder} as a folder, which is a file at [${first.get(folder)}]`,
      });
      break;
    }
  }
  return conflicts;
}
