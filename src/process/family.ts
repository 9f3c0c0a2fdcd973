import process from "node:process";
import { environmentHolds, listProcesses, readProcess, type ProcessEntry } from "./proc.ts";

interface Look {
  /** Live processes of the family. */
  members: ProcessEntry[];
  /** false when processes came and went too fast, or one stayed amid an exec, so that there may be others. */
  settled: boolean;
}

export interface Family {
  /**
   * Looks at the whole machine once.
   * @param onMember called for each member as soon as it is found.
   */
  look(onMember?: (entry: ProcessEntry) => void): Look;
  /** Whether the id of a group or session is one that a member made, so that all in it belong to the family. */
  leads(id: number): boolean;
}

/** On a machine that starts a thousand processes a second a few passes are enough. */
const mostPasses = 100;

/**
 * The processes that descend from one program: its group and session, all that inherited its marker, their children, and
 * whatever an earlier look found. A process with an empty environment and a session of its own, whose parent died before
 * the first look, is not found.
 * @param root pid of the program, which leads a session of its own and has not been waited for yet.
 * @param marker `NAME=value` in its environment: a daemon that left group and session still carries it.
 */
export function familyOf(root: number, marker: string): Family {
  const since = readProcess(root)?.startTicks ?? 0;
  const leaders = new Set([root]);
  const known = new Set<string>();

  const inherits = (entry: ProcessEntry): boolean => leaders.has(entry.session) || leaders.has(entry.group);
  const adopt = (entry: ProcessEntry): void => {
    known.add(identity(entry));
    if (entry.session === entry.pid || entry.group === entry.pid) leaders.add(entry.pid);
  };

  return {
    leads: (id) => leaders.has(id),
    look(onMember) {
      const examined = new Set<number>();
      const strangers = new Map<number, ProcessEntry>();
      const members = new Map<number, ProcessEntry>();
      const join = (entry: ProcessEntry): void => {
        members.set(entry.pid, entry);
        strangers.delete(entry.pid);
        adopt(entry);
        onMember?.(entry);
      };
      // A process may fork and end between the listing and the look at it. What it forked is in the next listing, so the
      // look is over when a listing holds nothing that was not looked at.
      for (let pass = 0; pass < mostPasses; pass++) {
        const fresh = listProcesses().filter((pid) => !examined.has(pid));
        if (fresh.length === 0) return { members: [...members.values()], settled: true };
        // The newest first: a chain of short-lived processes is at that end.
        for (const pid of fresh.reverse()) {
          strangers.delete(pid);
          examined.add(pid);
          const entry = readProcess(pid);
          if (entry === null || entry.startTicks < since || pid === process.pid) continue;
          const marked = known.has(identity(entry)) || inherits(entry) ? "yes" : environmentHolds(entry, marker);
          // It is looked at again in the next pass.
          if (marked === "unclear") examined.delete(pid);
          if (marked === "yes") join(entry);
          else strangers.set(pid, entry);
        }
        for (let before = -1; before !== members.size;) {
          before = members.size;
          for (const entry of strangers.values()) if (members.has(entry.parent) || inherits(entry)) join(entry);
        }
      }
      return { members: [...members.values()], settled: false };
    },
  };
}

/** Names a process for good. */
export function identity(entry: ProcessEntry): string {
  return `${entry.pid}@${entry.startTicks}`;
}
