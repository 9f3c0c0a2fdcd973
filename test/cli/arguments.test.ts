import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { repository, runMain, scratch, writeManifest } from "./program.ts";

async function records(folder: string, name: string): Promise<string> {
  const arms = [{ name }, { name: "candidate", toolProfile: "core" }];
  const path = join(folder, "runs.ndjson");
  const ran = await runMain(["run", writeManifest(folder, { arms, repetitions: 1 }), "-o", path, "--quiet"]);
  expect(ran.code).toBe(0);
  return path;
}

test("an arm whose name begins with a dash can be compared, after --", async () => {
  const path = await records(scratch(), "-x");
  for (const argv of [
    ["compare", path, "--", "-x", "candidate"],
    ["compare", "--", path, "-x", "candidate"],
    ["compare", "--format", "json", "--", path, "candidate", "-x"],
  ]) {
    const { code, stdout } = await runMain(argv);
    expect(code).toBe(0);
    expect(stdout).toContain('"arm": "-x"');
  }
});

test("records come from standard input, and a result that cannot be written is no success", async () => {
  const path = await records(scratch(), "baseline");
  const shell = (line: string) => {
    const program = `"${process.execPath}" --import tsx script/harness-eval.ts`;
    return execFileSync("bash", ["-c", `program() { ${program} "$@"; }; ${line}`], {
      cwd: repository,
      encoding: "utf8",
    });
  };
  expect(shell(`program compare - baseline candidate < "${path}"`)).toBe(
    shell(`program compare "${path}" baseline candidate`),
  );
  expect(shell(`program compare "${path}" baseline candidate 2>&1 > /dev/full; true`)).toBe(
    "standard output could not be written (ENOSPC)\n",
  );
  expect(shell(`program compare "${path}" baseline candidate > /dev/full 2> /dev/null || printf "%s" $?`)).toBe("4");
  writeFileSync(`${path}.cut`, readFileSync(path, "utf8").slice(0, -20));
  expect(shell(`program compare - baseline candidate < "${path}.cut" 2> /dev/null || printf "%s" $?`)).toBe("2");
});
