import process from "node:process";
import { hasProc, listProcesses, markerOwner, readProcess } from "./proc.ts";
import { isOwnerDead } from "./owner.ts";

/** In the environment of every process that a run starts. */
export const markerName = "HARNESS_EVAL_PROCESS_TREE";

/**
 * Kills what a run left running when it was killed itself: processes that carry the marker of an owner that is gone.
 * @returns how many.
 */
export function killOrphans(): number {
  if (!hasProc()) return 0;
  let killed = 0;
  for (const pid of listProcesses()) {
    const entry = pid === process.pid ? null : readProcess(pid);
    const owner = entry === null ? null : markerOwner(entry, markerName);
    if (owner === null || !isOwnerDead(owner)) continue;
    try {
      process.kill(pid, "SIGKILL");
      killed++;
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
  return killed;
}
