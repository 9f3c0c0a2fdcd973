import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pathConflicts, pathProblem } from "../../src/manifest/paths.ts";
import { temporaryFolder } from "./example.ts";

const folder = temporaryFolder();

/** Paths that Git does not put into an index where it protects the file systems of other systems too. */
function refusedByGit(paths: readonly string[]): string[] {
  const git = (...args: string[]) => [
    "-C",
    folder.path(""),
    "-c",
    "core.protectHFS=true",
    "-c",
    "core.protectNTFS=true",
    ...args,
  ];
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  execFileSync("git", git("init", "-q"), { env });
  const blob = execFileSync("git", git("hash-object", "-w", "--stdin"), { env, input: "" })
    .toString()
    .trim();
  return paths.filter((path) => {
    const added = spawnSync("git", git("update-index", "--add", "--replace", "--cacheinfo", "100644", blob, path), {
      env,
    });
    return added.status !== 0;
  });
}

test("property: Git tracks every path that is accepted", () => {
  const component = fc.oneof(
    fc.constantFrom(".git", ".GIT", "git~1", ".gi\u200ct", ".git.", ".git ", "..", ".", "", "git~2", ".gitx", "a"),
    fc.string({
      unit: fc.constantFrom(".", "g", "i", "t", "~", "1", " ", "\u200d", "\ufeff", "\n", "é"),
      maxLength: 7,
    }),
  );
  const paths = fc.sample(
    fc.array(component, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
    { numRuns: 3000, seed: 7 },
  );
  const accepted = [...new Set(paths)].filter((path) => pathProblem(path) === null);
  expect(accepted.length).toBeGreaterThan(100);
  expect(refusedByGit(accepted.slice(0, 100))).toEqual([]);
});

test("Git does not track what is refused as a look-alike of .git", () => {
  const paths = [
    ".git/x",
    ".GIT/x",
    "a/.Git/x",
    "git~1/x",
    "GIT~1/x",
    ".git /x",
    ".git./x",
    ".g\u200cit/x",
    ".git\ufeff/x",
  ];
  expect(refusedByGit(paths)).toEqual(paths);
  for (const path of paths) expect(pathProblem(path)).toContain("a component .git");
});

test("property: paths without a conflict are those that a tree of folders can hold", () => {
  const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 6 }), (paths) => {
      expect(pathConflicts(paths).length === 0).toBe(fits(paths));
    }),
  );
});

/** Lays the paths out one after the other. */
function fits(paths: readonly string[]): boolean {
  const files = new Set<string>();
  const folders = new Set<string>();
  return paths.every((path) => {
    const parts = path.split("/");
    const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
    if (files.has(path) || folders.has(path) || above.some((part) => files.has(part))) return false;
    files.add(path);
    above.forEach((part) => folders.add(part));
    return true;
  });
}
