import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { hasProc, hasVariable, scanProcesses, ticksNow, type ProcessEntry } from "./proc.ts";

const proc = hasProc();
const longestMs = 10_000;

/** What holds the processes of an attempt together on this machine, as records name it. */
export function containmentName(): string {
  return proc ? "process-group+marker" : "process-group";
}

/** The processes that descend from one program: its group and session, all that inherited its marker, and their children. */
export interface ProcessTree {
  /** Sends a signal to the program's own process group. */
  signal(name: NodeJS.Signals): void;
  /**
   * Kills what is left of the tree, until a look at the machine finds nothing more of it.
   * @returns how many processes there were to kill, and false for `gone` when some would not go in ten seconds.
   */
  end(): Promise<{ killed: number; gone: boolean }>;
}

/**
 * @param marker `NAME=value`, in the environment of the program: a daemon that left group and session still carries it.
 * A process that started with an empty environment, in its own session, after its parent died, is not found.
 */
export function processTree(marker: string): { started(pid: number): ProcessTree } {
  const sinceTicks = proc ? ticksNow() : 0;
  return {
    started: (pid) => ({
      signal: (name) => kill(-pid, name),
      end: () => (proc ? endTree(pid, marker, sinceTicks) : endGroup(pid)),
    }),
  };
}

async function endTree(root: number, marker: string, sinceTicks: number): Promise<{ killed: number; gone: boolean }> {
  const seen = new Map<string, ProcessEntry>();
  const deadline = performance.now() + longestMs;
  for (let pauseMs = 0; ; pauseMs = Math.min(pauseMs + 2, 50)) {
    const { entries, steady } = scanProcesses(sinceTicks);
    const members = membersOf(entries, root, marker, seen);
    if (members.length === 0 && steady) return { killed: seen.size, gone: true };
    if (performance.now() > deadline) return { killed: seen.size, gone: members.length === 0 };
    const fresh = members.filter((entry) => !seen.has(identity(entry)));
    for (const entry of members) seen.set(identity(entry), entry);
    // Stopped first, a tree that keeps forking cannot outrun the killing.
    for (const { pid } of fresh) kill(pid, "SIGSTOP");
    if (fresh.length === 0) for (const { pid } of members) kill(pid, "SIGKILL");
    if (fresh.length === 0 && members.length > 0) await sleep(pauseMs);
  }
}

function membersOf(
  entries: ProcessEntry[],
  root: number,
  marker: string,
  seen: Map<string, ProcessEntry>,
): ProcessEntry[] {
  const pids = new Set<number>([root, ...[...seen.values()].map((entry) => entry.pid)]);
  const members = new Set<ProcessEntry>();
  for (let grown = true; grown;) {
    grown = false;
    for (const entry of entries) {
      if (members.has(entry)) continue;
      const related = pids.has(entry.group) || pids.has(entry.session) || pids.has(entry.parent);
      if (!related && !seen.has(identity(entry)) && !hasVariable(entry.pid, marker)) continue;
      members.add(entry);
      pids.add(entry.pid);
      grown = true;
    }
  }
  return [...members].filter((entry) => entry.pid !== process.pid);
}

/** A pid alone may name another process a moment later. */
function identity(entry: ProcessEntry): string {
  return `${entry.pid}@${entry.startTicks}`;
}

async function endGroup(root: number): Promise<{ killed: number; gone: boolean }> {
  if (!kill(-root, 0)) return { killed: 0, gone: true };
  const deadline = performance.now() + longestMs;
  while (kill(-root, "SIGKILL")) {
    if (performance.now() > deadline) return { killed: 1, gone: false };
    await sleep(10);
  }
  return { killed: 1, gone: true };
}

/** @returns whether there was a process to signal. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
