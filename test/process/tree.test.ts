import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { familyOf } from "../../src/process/family.ts";
import { runProcess } from "../../src/process/run.ts";

const folder = mkdtempSync(join(tmpdir(), "tree-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? "" };
const programs = join(import.meta.dirname, "..", "programs");
const ignoring = "trap '' TERM INT HUP; while :; do sleep 0.2; done";

/** Shell programs that leave something behind; each marks what it started by $MARK in its arguments. */
const leavers = {
  child: `sh -c "${ignoring}" $MARK &`,
  grandchild: `(sh -c "sh -c \\"${ignoring}\\" $MARK & wait" $MARK &)`,
  "double fork": `( ( sh -c "${ignoring}" $MARK & ) & )`,
  setsid: `setsid sh -c "${ignoring}" $MARK &`,
  "setsid in a double fork": `( ( setsid setsid sh -c "${ignoring}" $MARK & ) & )`,
  nohup: `nohup sh -c "${ignoring}" $MARK >/dev/null 2>&1 &`,
  "holds standard output open": `setsid sh -c "${ignoring}" $MARK &`,
  "forks for ever": `setsid sh -c 'while :; do setsid sh -c "sleep 30" $1 & sleep 0.01; done' sh $MARK &`,
} as const;

/** Live processes with a word in their command line. */
function processesWith(mark: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      try {
        if (/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return false;
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(mark);
      } catch {
        return false;
      }
    });
}

describe.concurrent.each(Object.entries(leavers))("a program that leaves a %s", (_name, script) => {
  test.concurrent.each(["exit", "time-out", "cancellation"] as const)(
    "is gone with all its processes after %s",
    async (ending) => {
      const mark = `mark-${Math.random().toString(36).slice(2)}`;
      const ready = join(folder, mark);
      const tail = ending === "exit" ? "exit 0" : ignoring;
      const body = `MARK=${mark}\n${script}\nsleep 0.1\ntouch ${ready}\n${tail}`;
      const abort = new AbortController();
      const running = runProcess({
        argv: ["sh", "-c", body],
        cwd: folder,
        env,
        timeoutMs: ending === "time-out" ? 1500 : 60_000,
        signal: abort.signal,
        onOutput: () => undefined,
      });
      if (ending === "cancellation") {
        while (!existsSync(ready)) await sleep(20);
        abort.abort();
      }
      const end = await running;
      expect(existsSync(ready)).toBe(true);
      expect(end.gone).toBe(true);
      expect(processesWith(mark)).toEqual([]);
      expect({ timedOut: end.timedOut, cancelled: end.cancelled }).toEqual({
        timedOut: ending === "time-out",
        cancelled: ending === "cancellation",
      });
      if (ending === "exit") {
        expect(end.exitCode).toBe(0);
        expect(end.leftoverProcesses).toBeGreaterThanOrEqual(1);
      }
    },
  );
});

test.concurrent("a program that ends by itself leaves nothing to count", async () => {
  const end = await runProcess({ argv: ["sh", "-c", "sleep 0.05 & wait"], cwd: folder, env, timeoutMs: 10_000 });
  expect(end).toMatchObject({ exitCode: 0, leftoverProcesses: 0, gone: true });
});

test.concurrent("processes of another run are left alone", async () => {
  const other = runProcess({ argv: ["sleep", "2"], cwd: folder, env, timeoutMs: 20_000 });
  await runProcess({ argv: ["sh", "-c", "setsid sleep 30 & exit 0"], cwd: folder, env, timeoutMs: 10_000 });
  expect(await other).toMatchObject({ exitCode: 0, signal: null });
});

test.concurrent("a chain of processes that each start the next one and end is broken", async () => {
  const trace = join(folder, "chain");
  const argv = ["sh", "-c", `sh ${join(programs, "fork-chain.sh")} ${trace} & sleep 0.3`];
  const end = await runProcess({ argv, cwd: folder, env, timeoutMs: 10_000, onOutput: () => undefined });
  expect(end).toMatchObject({ exitCode: 0, gone: true, outputWhole: true });
  const { size } = statSync(trace);
  await sleep(500);
  expect(statSync(trace).size).toBe(size);
});

test.concurrent("a child with an empty environment and a session of its own is known by its parent", async () => {
  const mark = "mark-stripped";
  const argv = ["sh", "-c", `env -i setsid sh -c "${ignoring}" ${mark} & sleep 30`];
  const end = await runProcess({ argv, cwd: folder, env: { PATH: process.env.PATH ?? "" }, timeoutMs: 500 });
  expect(end).toMatchObject({ timedOut: true, gone: true });
  expect(processesWith(mark)).toEqual([]);
});

test.concurrent("a process that got away and goes on writing does not keep the runner", async () => {
  const pidFile = join(folder, "writer");
  const writer = "echo $$ > $1; while :; do echo x; sleep 0.1; done";
  // No parent, environment, group or session in common: what a sandbox is needed for.
  const script = `(env -i PATH=$PATH setsid sh -c '${writer}' sh ${pidFile} &); sleep 0.5; echo last`;
  let text = "";
  const onOutput = (chunk: Uint8Array): void => void (text += Buffer.from(chunk).toString());
  const end = await runProcess({ argv: ["sh", "-c", script], cwd: folder, env, timeoutMs: 30_000, onOutput });
  process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
  expect(end).toMatchObject({ exitCode: 0, outputWhole: false });
  expect(text).toContain("last\n");
});

test.concurrent("a look at a machine where processes come and go comes to an end", async () => {
  const going = join(folder, "going");
  writeFileSync(going, "");
  const storm = spawn("sh", [join(programs, "fork-storm.sh"), going], { stdio: "ignore", detached: true });
  const family = familyOf(storm.pid ?? 0, "NO_SUCH_VARIABLE=1");
  const strangers = familyOf(process.pid, "NO_SUCH_VARIABLE=2");
  await sleep(200);
  const looks = Array.from({ length: 20 }, () => strangers.look().settled);
  expect(looks.filter(Boolean).length).toBeGreaterThan(10);
  expect(family.look().members.map(({ pid }) => pid)).toContain(storm.pid);
  rmSync(going);
  await once(storm, "exit");
});
