import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { repository } from "./program.ts";

/**
 * Builds the program as it ships for the tests of one file, since a compiler in the same process would be measured, or killed, with
 * it. Inside the repository, to find its packages.
 * @returns the entry.
 */
export function builtProgram(name: string): string {
  const build = join(repository, "node_modules", ".cache", `harness-eval-${name}`);
  const compiler = join(repository, "node_modules/.bin/tsc");
  const options = { cwd: repository };
  beforeAll(() => void execFileSync(compiler, ["-p", "tsconfig.build.json", "--outDir", build], options), 120_000);
  afterAll(() => rmSync(build, { recursive: true, force: true }));
  return join(build, "script/harness-eval.js");
}
