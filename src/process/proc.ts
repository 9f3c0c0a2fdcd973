import { readdirSync, readFileSync } from "node:fs";

/** One process as /proc shows it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since boot (1/100 s). */
  startTicks: number;
}

export interface ProcessScan {
  /** Live processes that started at or after the moment asked for; zombies are left out. */
  entries: ProcessEntry[];
  /** false when a process vanished under the scan: it may have left a child that the scan did not see. */
  steady: boolean;
}

/** Linux has it; elsewhere a tree is known by its process group alone. */
export function hasProc(): boolean {
  try {
    readFileSync("/proc/self/stat");
    return true;
  } catch {
    return false;
  }
}

/** Clock ticks since boot, rounded down and one earlier, so that what starts from now on has no smaller start time. */
export function ticksNow(): number {
  const seconds = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);
  return Math.floor(seconds * 100) - 1;
}

export function scanProcesses(sinceTicks: number): ProcessScan {
  const entries: ProcessEntry[] = [];
  let steady = true;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readOrNull(`/proc/${pid}/stat`);
    if (stat === null) {
      steady = false;
      continue;
    }
    // The command name is in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent, group, session] = fields;
    const startTicks = Number(fields[19]);
    if (state === "Z" || state === "X" || startTicks < sinceTicks) continue;
    entries.push({ pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks });
  }
  return { entries, steady };
}

/** Whether a process was started with `variable` in its environment, as in `NAME=value`. */
export function hasVariable(pid: number, variable: string): boolean {
  const environ = readOrNull(`/proc/${pid}/environ`);
  return environ !== null && environ.split("\0").includes(variable);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}
