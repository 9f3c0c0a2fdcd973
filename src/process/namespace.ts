import { readlinkSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Readable } from "node:stream";
import { kill, type ProcessTree } from "./containment.ts";
import { drain } from "./drain.ts";
import { identity } from "./family.ts";
import { listProcesses, readProcess, type ProcessEntry } from "./proc.ts";
import { sandboxReport, type SandboxReport } from "./sandbox.ts";

const longestMs = 10_000;
/** The sandbox's own words are short; what fills its descriptors with more is not read. */
const mostCharacters = 4096;
/** In every sandbox: its first process, the wrapper, and the program itself. */
const ownProcesses = 3;

/** The processes of a sandbox, which the kernel ends with the first one of them. */
export interface Namespace extends ProcessTree {
  /** To be asked when the tree has ended. */
  report(): SandboxReport;
}

/**
 * @param root pid of bwrap outside the sandbox, which leads a process group of its own.
 * @param streams what bwrap says of the sandbox, and what the wrapper in it says.
 */
export function namespaceTree(root: number, streams: { bwrap: Readable; wrapper: Readable }): Namespace {
  const said = { bwrap: "", wrapper: "" };
  let init: ProcessEntry | null = null;
  const listen = (name: "bwrap" | "wrapper") =>
    drain(
      streams[name],
      (chunk) => {
        const room = mostCharacters - said[name].length;
        if (room > 0) said[name] += Buffer.from(chunk).toString("latin1").slice(0, room);
        const { init: pid } = report();
        // Together with its time of start the pid names it for good.
        if (pid !== null) init ??= readProcess(pid);
      },
      () => undefined,
    );
  const report = (): SandboxReport => sandboxReport(said.bwrap, said.wrapper);
  const [bwrap, wrapper] = [listen("bwrap"), listen("wrapper")];
  const isThere = (entry: ProcessEntry | null): entry is ProcessEntry => {
    const now = entry === null ? null : readProcess(entry.pid);
    return entry !== null && now !== null && identity(now) === identity(entry);
  };
  return {
    report,
    terminate() {
      // The first process of a namespace does not hear this, those in its group do.
      if (isThere(init)) kill(-init.pid, "SIGTERM");
      else kill(-root, "SIGTERM");
    },
    async end() {
      const deadline = performance.now() + longestMs;
      const counted = isThere(init) ? Math.max(0, countIn(init) - ownProcesses) : 0;
      kill(-root, "SIGKILL");
      await bwrap.finish();
      for (let round = 0; isThere(init); round++) {
        kill(init.pid, "SIGKILL");
        if (performance.now() > deadline) return { leftovers: counted, gone: false };
        await sleep(Math.min(round, 20));
      }
      await wrapper.finish();
      return { leftovers: report().leftovers ?? counted, gone: true };
    },
  };
}

/** Live processes of a namespace. */
function countIn(init: ProcessEntry): number {
  const namespace = namespaceOf(init.pid);
  if (namespace === null) return 0;
  return listProcesses().filter((pid) => namespaceOf(pid) === namespace && readProcess(pid) !== null).length;
}

function namespaceOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}
