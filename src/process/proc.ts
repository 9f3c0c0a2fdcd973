import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** One live process as /proc shows it. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Clock ticks since boot. With the pid it names a process for good: a pid alone may name another one a moment later. */
  startTicks: number;
  /** The main thread has ended, others go on. */
  headless: boolean;
}

/** Linux has it; elsewhere a tree is known by its process group alone. */
export function hasProc(): boolean {
  return readOrNull("/proc/self/stat") !== null;
}

/** Every process and zombie, by ascending pid. One that lives while this reads is listed. */
export function listProcesses(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid));
}

const kernelThread = 0x00200000;

/** null for a process that is gone, for a zombie and for a thread of the kernel. */
export function readProcess(pid: number): ProcessEntry | null {
  const stat = readOrNull(`/proc/${pid}/stat`)?.toString("latin1");
  if (stat === undefined) return null;
  // The command name is in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const field = (index: number): number => Number(fields[index]);
  const headless = state === "Z" && field(17) > 1;
  if (((state === "Z" || state === "X") && !headless) || (field(6) & kernelThread) !== 0) return null;
  return { pid, parent: field(1), group: field(2), session: field(3), startTicks: field(19), headless };
}

/**
 * Whether a process was started with `variable` in its environment, as in `NAME=value`.
 * `unclear`: the process is amid an exec, so that it has neither its old environment nor its new one.
 */
export function environmentHolds(entry: ProcessEntry, variable: string): "yes" | "no" | "unclear" {
  const path = entry.headless ? threadOf(entry.pid) : `/proc/${entry.pid}`;
  const environ = readOrNull(`${path}/environ`);
  if (environ === null) return "no";
  if (environ.length === 0) return readOrNull(`${path}/cmdline`)?.length === 0 ? "unclear" : "no";
  const at = environ.indexOf(variable);
  return at >= 0 && environ.toString("latin1").split("\0").includes(variable) ? "yes" : "no";
}

/** The part before the colon of a variable in the environment that a process was started with; null where there is none. */
export function markerOwner(entry: ProcessEntry, name: string): string | null {
  const environ = readOrNull(`/proc/${entry.pid}/environ`)?.toString("latin1") ?? "";
  const found = environ.split("\0").find((variable) => variable.startsWith(`${name}=`));
  return found?.slice(name.length + 1).split(":")[0] ?? null;
}

/** A thread that has not ended. */
function threadOf(pid: number): string {
  const folder = `/proc/${pid}/task`;
  try {
    const thread = readdirSync(folder).find((name) => name !== String(pid));
    return `${folder}/${thread ?? pid}`;
  } catch {
    return folder;
  }
}

const chunk = Buffer.alloc(65_536);

/** /proc gives no sizes, so this saves the calls that ask for them: a look at a machine takes half the time. */
function readOrNull(path: string): Buffer | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const parts: Buffer[] = [];
    for (;;) {
      const bytes = readSync(descriptor, chunk, 0, chunk.length, null);
      if (bytes > 0) parts.push(Buffer.from(chunk.subarray(0, bytes)));
      if (bytes < chunk.length) return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    }
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
