import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import { noSandbox } from "../process/bubblewrap.ts";
import { linesOf, repository, runMain, runsOf, scratch, startEntry, task, writeManifest } from "./program.ts";

/** Beside the system and not in a folder for temporary files, as a project of an operator lies. */
function project(): string {
  const folder = mkdtempSync("/usr/local/project-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, "evaluation"));
  return folder;
}

/** A manifest whose agents are a line of shell each, with the folder as their first argument. */
function shellManifest(folder: string, script: string, changes: Record<string, unknown> = {}): string {
  const command = ["sh", "-c", script, "agent", folder];
  return writeManifest(join(folder, "evaluation"), {
    command,
    sandbox: "full-access",
    repetitions: 1,
    tasks: [task("only", {})],
    ...changes,
  });
}

const solve = "echo right > answer.txt";
/** What an agent finds of the words that only oracles and records hold. */
const search = `grep -rl -e "assert.equal" -e '"type":"cohort"' "$1" .. "$TMPDIR" /tmp 2>/dev/null`;

describe.skipIf(noSandbox !== null)("run --contain bwrap", () => {
  test("records say so, and the agent reads no manifest, no oracle, no record and no other attempt", async () => {
    const folder = project();
    writeFileSync(join(folder, "evaluation", "oracle.mjs"), task("only", {}).oracle);
    const tasks = [{ ...task("only", {}), oracle: undefined, oracleFile: "oracle.mjs" }];
    const script = `(${search}) > answer.txt; ls .. >> answer.txt; ls "$1" >> answer.txt; exit 0`;
    const manifest = shellManifest(folder, script, { tasks });
    const output = join(folder, "records.ndjson");
    const { code, stderr } = await runMain(["run", manifest, "--contain=bwrap", "-o", output, "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const runs = runsOf(readFileSync(output, "utf8"));
    expect(runs).toEqual([
      expect.objectContaining({ containment: "bwrap", outcome: "completed", verified: false, oracle: "failed" }),
      expect.objectContaining({ containment: "bwrap", outcome: "completed", verified: false, oracle: "failed" }),
    ]);
  });

  test("what the agent sees of the operator's folder, the temporary folder and its parent is its own", async () => {
    const folder = project();
    const script = `{ ls "$1" "$1/evaluation"; ls -d ../*; ls /tmp /var/tmp; (${search}); } > answer.txt 2>&1; cp answer.txt "$HOME/seen"`;
    const home = scratch();
    const manifest = shellManifest(folder, script);
    const { code } = await runMain(["run", manifest, "--contain=bwrap"], { env: { HOME: home } });
    expect(code).toBe(0);
    const seen = readFileSync(join(home, "seen"), "utf8").split("\n");
    // The operator's folder is there, since HOME may lie anywhere, and empty.
    const names = seen.filter((line) => line !== "" && !line.endsWith(":") && !line.includes("cannot access"));
    expect(
      names.filter((name) => !/^(\.\.\/(workspace|tmp)|evaluation|harness-eval-.*|scratch-.*|No such.*)$/.test(name)),
    ).toEqual([]);
    expect(seen.join("\n")).not.toMatch(/manifest|oracle|records|fixture/);
  });

  test("the agent writes its workspace and its HOME, and nothing else", async () => {
    const folder = project();
    const home = scratch();
    const script = `${solve}; echo x > "$HOME/wrote"; echo x > /usr/local/wrote-by-agent; echo x > "$1/wrote"; exit 0`;
    const { stdout } = await runMain(["run", shellManifest(folder, script), "--contain=bwrap"], {
      env: { HOME: home },
    });
    expect(runsOf(stdout).map((run) => run.verified)).toEqual([true, true]);
    expect(
      [join(home, "wrote"), "/usr/local/wrote-by-agent", join(folder, "wrote")].map((path) => existsSync(path)),
    ).toEqual([true, false, false]);
  });

  test("a program beside the manifest is found; a secret that would be exposed with it stays hidden", async () => {
    const folder = project();
    const tool = join(folder, "tools", "agent");
    mkdirSync(join(folder, "tools"));
    writeFileSync(
      tool,
      `#!/bin/sh\n. "$(dirname "$0")/part"; cat "${folder}/evaluation/manifest.json" >> answer.txt\nexit 0\n`,
      {
        mode: 0o755,
      },
    );
    writeFileSync(join(folder, "tools", "part"), `${solve}\n`);
    const manifest = shellManifest(folder, "", { command: [tool] });
    const alone = await runMain(["run", manifest, "--contain=bwrap"]);
    expect(runsOf(alone.stdout).map((run) => run.verified)).toEqual([true, true]);
    const exposed = await runMain(["run", manifest, "--contain=bwrap", "--expose", folder]);
    expect(runsOf(exposed.stdout).map((run) => run.verified)).toEqual([true, true]);
  });

  test("network: none is recorded, and cuts off the agent and the oracle", async () => {
    const script = "tail -n +3 /proc/net/dev | wc -l > answer.txt";
    const oracle = `import { networkInterfaces } from "node:os";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
assert.equal(readFileSync(process.argv[1] + "/answer.txt", "utf8").trim(), "1");
assert.ok(Object.values(networkInterfaces()).flat().every(({ internal }) => internal));`;
    const tasks = [task("only", {}, { oracle })];
    const { stdout } = await runMain([
      "run",
      shellManifest(project(), script, { tasks, network: "none" }),
      "--contain=bwrap",
    ]);
    const facts = runsOf(stdout).map(({ containment, verified }) => ({ containment, verified }));
    expect(facts).toEqual(Array(2).fill({ containment: "bwrap+no-network", verified: true }));
  });

  test("what its shell left open for the runner reaches no agent", async () => {
    const folder = project();
    const script = `ls -l /proc/self/fd > answer.txt; cp answer.txt "$HOME/seen"`;
    const manifest = shellManifest(folder, script);
    const home = scratch();
    const entry = ["--import", "tsx", join(repository, "script/harness-eval.ts")];
    for (const contain of ["bwrap", "processes"]) {
      const words = [process.execPath, ...entry, "run", manifest, `--contain=${contain}`];
      const line = words.map((word) => `'${word}'`).join(" ");
      const child = spawn("bash", ["-c", `${line} 21>"${folder}/leaked" 7>"${folder}/leaked"`], {
        cwd: repository,
        env: { ...process.env, HOME: home },
        stdio: "ignore",
      });
      expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
      expect(readFileSync(join(home, "seen"), "utf8")).not.toContain("leaked");
    }
  });

  test.skipIf(process.getuid?.() !== 0)(
    "as root a CLI with sandboxes of its own is refused, and auto says what is given up",
    async () => {
      const manifest = writeManifest(scratch(), { repetitions: 1 });
      const refused = await runMain(["run", manifest, "--contain=bwrap"]);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(
        /^--contain: no sandbox: ax-code sandboxes its tools itself.*; run as a user other than root/,
      );
      expect(refused.stderr.trimEnd().split("\n")).toHaveLength(1);
      const open = await runMain(["run", manifest]);
      expect(open.stderr).toContain("warning: The agent runs without a sandbox (ax-code sandboxes");
      expect(new Set(runsOf(open.stdout).map((run) => run.containment))).toEqual(new Set(["process-group+marker"]));
    },
  );
});

describe("where there is no sandbox", () => {
  test("auto says so and records it; bwrap refuses", async () => {
    const folder = scratch();
    mkdirSync(join(folder, "bin"));
    for (const name of ["git", "sh", "node", "flock"]) {
      const found = (process.env.PATH ?? "")
        .split(":")
        .map((path) => join(path, name))
        .find((path) => existsSync(path));
      writeFileSync(join(folder, "bin", name), `#!/bin/sh\nexec "${found}" "$@"\n`, { mode: 0o755 });
    }
    const env = { PATH: join(folder, "bin") };
    const manifest = writeManifest(folder, { repetitions: 1, sandbox: "full-access" });
    const open = await runMain(["run", manifest], { env });
    expect(open.stderr).toContain("warning: The agent runs without a sandbox (bwrap is not on the PATH)");
    expect(linesOf(open.stdout).at(-1)).toMatchObject({ type: "comparison", incomplete: false });
    expect(runsOf(open.stdout).map((run) => run.containment)).toEqual(Array(4).fill("process-group+marker"));
    const refused = await runMain(["run", manifest, "--contain=bwrap"], { env });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toBe(
      '--contain: no sandbox: bwrap is not on the PATH (found "bwrap"); see harness-eval doctor\n',
    );
  });

  test("network: none is refused rather than ignored", async () => {
    const manifest = writeManifest(scratch(), { network: "none" });
    const { code, stderr } = await runMain(["run", manifest, "--contain=processes"]);
    expect(code).toBe(2);
    expect(stderr).toContain("network: needs a sandbox, and there is none");
  });
});

test("options that make no sense are refused", async () => {
  const manifest = writeManifest(scratch());
  const unknown = await runMain(["run", manifest, "--contain=docker"]);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toContain("--contain");
  const missing = await runMain(["run", manifest, "--expose=/is/not/there"]);
  expect(missing.stderr).toBe('--expose: there is no such path (found "/is/not/there")\n');
  expect(missing.code).toBe(2);
});

test("a runner that listens for a debugger starts no agent, and a signal does not make it listen", async () => {
  const folder = scratch();
  const manifest = writeManifest(folder, { repetitions: 1 });
  const entry = ["--inspect=127.0.0.1:0", "--import", "tsx", join(repository, "script/harness-eval.ts")];
  const { code, stdout, stderr } = await startEntry(entry, ["run", manifest], folder).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("this process listens for a debugger, through which an agent could forge records");
  const script = "kill -USR1 $PPID; sleep 0.5; exit 0";
  const signalled = writeManifest(folder, { repetitions: 1, command: ["sh", "-c", script], tasks: [task("only", {})] });
  const plain = await startEntry(entry.slice(1), ["run", signalled, "--contain=processes"], folder).ended;
  expect(plain.code).toBe(0);
  expect(plain.stderr).not.toContain("Debugger listening");
});
