/**
 * What the harness adds to an attempt, as a ratio to a floor measured in the same run.
 *
 * The floor is a shell loop that does the same necessary work and nothing else: write the files, three Git commands,
 * the oracle, the agent, the oracle again, remove the folder. The agent is `true`, so everything measured is overhead.
 * Rounds of both alternate, so that a drift of the machine meets both alike.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { median } from "simple-statistics";
import { runCohort } from "../src/attempt/cohort.ts";
import { loadManifest } from "../src/manifest/load.ts";

const attemptsPerRound = 20;
const rounds = 7;

const oracle = `import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
assert.equal(readFileSync(process.argv[1] + "/src/file-0.js", "utf8"), "solved");
`;

const floorScript = String.raw`
set -eu
for attempt in $(seq "$ATTEMPTS"); do
  root=$(mktemp -d)
  mkdir "$root/src"
  for i in $(seq 0 $((FILES - 1))); do printf '%s' "$CONTENT" > "$root/src/file-$i.js"; done
  git -C "$root" init -q --template=
  git -C "$root" add -A
  git -C "$root" -c user.name=n -c user.email=m commit -q -m fixture
  ! "$NODE" --input-type=module -e "$ORACLE" "$root" 2>/dev/null || exit 1
  (cd "$root" && true run)
  ! "$NODE" --input-type=module -e "$ORACLE" "$root" 2>/dev/null || exit 1
  rm -rf "$root"
done
`;

interface Row {
  files: number;
  floorMs: number;
  harnessMs: number;
  ratio: number;
}

async function measure(files: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    const content = "export const value = 1;\n".repeat(40);
    const manifestPath = join(folder, "manifest.json");
    mkdirSync(folder, { recursive: true });
    writeFileSync(manifestPath, JSON.stringify(manifestOf(files, content)));
    const { manifest } = await loadManifest(manifestPath);
    const floor: number[] = [];
    const harness: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const floorMs = await perAttempt(() => runFloor(files, content));
      const harnessMs = await perAttempt(() => runHarness(manifest));
      // The first round warms caches and the compiler on both sides.
      if (round === 0) continue;
      floor.push(floorMs);
      harness.push(harnessMs);
      process.stderr.write(`${files} files, round ${round}: ${floorMs.toFixed(1)} ms, ${harnessMs.toFixed(1)} ms\n`);
    }
    const ratio = median(harness.map((ms, index) => ms / (floor[index] ?? Number.NaN)));
    return { files, floorMs: median(floor), harnessMs: median(harness), ratio };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function manifestOf(files: number, content: string) {
  return {
    model: "none/none",
    runtimeRevision: "bench",
    command: ["true"],
    repetitions: attemptsPerRound / 2,
    arms: [{ name: "a" }, { name: "b", toolProfile: "core" }],
    tasks: [
      {
        id: "task",
        prompt: "Nothing to do.",
        files: Array.from({ length: files }, (_, index) => ({ path: `src/file-${index}.js`, content })),
        oracle,
      },
    ],
  };
}

async function perAttempt(run: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / attemptsPerRound;
}

function runFloor(files: number, content: string): void {
  const env = { ...process.env, ATTEMPTS: String(attemptsPerRound), FILES: String(files), CONTENT: content };
  execFileSync("bash", ["-c", floorScript], {
    env: { ...env, NODE: process.execPath, ORACLE: oracle },
    stdio: "ignore",
  });
}

async function runHarness(manifest: Awaited<ReturnType<typeof loadManifest>>["manifest"]): Promise<void> {
  const end = await runCohort({
    manifest,
    env: process.env as Record<string, string>,
    confinement: { wanted: "processes", written: [], exposed: [] },
    harnessVersion: "bench",
    nodeVersion: process.version,
    platform: process.platform,
    signal: new AbortController().signal,
    write: () => Promise.resolve(),
    onEvent: () => undefined,
  });
  if (end.kind !== "complete" || end.runs.some((run) => run.outcome !== "completed")) throw new Error("the run failed");
}

const rows = [await measure(10), await measure(100)];
console.log(
  `Harness cost per attempt; Node ${process.version}, ${cpus().length} cores, median of ${rounds} rounds of ${attemptsPerRound}`,
);
console.log("| files | shell floor | harness | ratio |");
console.log("| ---: | ---: | ---: | ---: |");
for (const { files, floorMs, harnessMs, ratio } of rows) {
  console.log(`| ${files} | ${floorMs.toFixed(1)} ms | ${harnessMs.toFixed(1)} ms | ${ratio.toFixed(2)} |`);
}
