import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { familyOf, identity, type Family } from "./family.ts";
import { hasProc, type ProcessEntry } from "./proc.ts";

const proc = hasProc();
const longestMs = 10_000;
/** How long unclear looks without a member are followed by another look. */
const unclearMs = 500;

/** What holds the processes of an attempt together on this machine, as records name it. */
export function containmentName(): string {
  return proc ? "process-group+marker" : "process-group";
}

interface TreeEnd {
  /** Processes that had to be killed, besides the program itself. */
  leftovers: number;
  /** false when some would not go in ten seconds. */
  gone: boolean;
}

/** The processes that descend from one program. */
export interface ProcessTree {
  /** Asks the program's own process group to end. */
  terminate(): void;
  /** Kills what is left, until a look at the machine finds nothing more of it. */
  end(): Promise<TreeEnd>;
}

/**
 * @param root pid of a program that leads a process group of its own and has not been waited for yet.
 * @param marker see `familyOf`.
 */
export function processTree(root: number, marker: string): ProcessTree {
  const family = proc ? familyOf(root, marker) : null;
  return {
    terminate() {
      // While parents live, children can be told by them, whatever else they left behind.
      family?.look();
      kill(-root, "SIGTERM");
    },
    end: () => (family === null ? endGroup(root) : endFamily(root, family)),
  };
}

/**
 * A process is stopped when it is found and killed at the next look: stopped, it cannot outrun the killing by forking,
 * and the look in between finds its children while they still have their parent.
 */
async function endFamily(root: number, family: Family): Promise<TreeEnd> {
  const deadline = performance.now() + longestMs;
  const stopped = new Set<string>();
  const leftovers = new Set<string>();
  const signal = (entry: ProcessEntry, name: NodeJS.Signals): void => {
    // No member of a group can fork away from a signal to the whole group.
    if (family.leads(entry.group)) kill(-entry.group, name);
    kill(entry.pid, name);
  };
  let lastFound = performance.now();
  for (let round = 0; ; round++) {
    const { members, settled } = family.look((entry) => {
      if (!stopped.has(identity(entry))) signal(entry, "SIGSTOP");
    });
    const now = performance.now();
    if (members.length > 0) lastFound = now;
    else if (settled || now - lastFound > unclearMs) return { leftovers: leftovers.size, gone: true };
    const late = now > deadline;
    for (const entry of members) {
      if (entry.pid !== root) leftovers.add(identity(entry));
      if (late || stopped.has(identity(entry))) signal(entry, "SIGKILL");
      stopped.add(identity(entry));
    }
    if (late) return { leftovers: leftovers.size, gone: false };
    await sleep(Math.min(round, 20));
  }
}

async function endGroup(root: number): Promise<TreeEnd> {
  const deadline = performance.now() + longestMs;
  for (let round = 0; kill(-root, "SIGKILL"); round++) {
    if (performance.now() > deadline) return { leftovers: 1, gone: false };
    await sleep(Math.min(round, 20));
  }
  return { leftovers: 0, gone: true };
}

/** @returns whether there was a process to signal. */
export function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
