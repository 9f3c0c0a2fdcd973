import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { repository, runsOf, scratch, writeManifest } from "../cli/program.ts";

test("npx harness-eval works from what npm pack makes", () => {
  const folder = scratch();
  const env = { ...process.env, npm_config_update_notifier: "false" };
  execFileSync("npm", ["pack", "--pack-destination", folder, "--silent"], { cwd: repository, env, stdio: "pipe" });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  const project = join(folder, "project");
  const modules = join(project, "node_modules");
  const installed = join(modules, "harness-eval");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(project, "package.json"), '{"private":true}');
  execFileSync("tar", ["-xzf", join(folder, tarball), "--strip-components=1", "-C", installed]);
  // What an installation would do, without a registry: the declared dependencies beside the package, and its bin.
  const { bin, dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    bin: Record<string, string>;
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies))
    symlinkSync(join(repository, "node_modules", name), join(modules, name));
  mkdirSync(join(modules, ".bin"));
  for (const [name, path] of Object.entries(bin)) symlinkSync(join(installed, path), join(modules, ".bin", name));

  const npx = (...argv: string[]): string =>
    execFileSync("npx", ["--no-install", "harness-eval", ...argv], { cwd: project, env, encoding: "utf8" });
  expect(npx("--version").trim()).toMatch(/^\d+\.\d+\.\d+$/);
  expect(JSON.parse(npx("schema"))).toHaveProperty("properties.model");
  const records = npx("run", writeManifest(folder, { repetitions: 1 }), "--quiet");
  expect(runsOf(records).map((run) => run.verified)).toEqual([true, true, false, false]);
  writeFileSync(join(project, "runs.ndjson"), records);
  expect(JSON.parse(npx("compare", "runs.ndjson", "baseline", "candidate"))).toHaveProperty("pairedVerifiedCount", 1);

  const library = "import * as h from 'harness-eval'; console.log(Object.keys(h).sort().join())";
  const names = execFileSync(process.execPath, ["--input-type=module", "-e", library], {
    cwd: project,
    encoding: "utf8",
  });
  expect(names.trim()).toBe("InputError,compare,evaluateGate,formatProblem,loadManifest,readRecords,runCohort");
  expect(existsSync(join(installed, "dist/src/index.d.ts"))).toBe(true);
  expect(existsSync(join(installed, "test"))).toBe(false);
});
