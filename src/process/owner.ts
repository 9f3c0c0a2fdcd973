import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import process from "node:process";
import { readProcess } from "./proc.ts";

/**
 * Names this process for good, in letters, digits and dashes: machine, start of the machine, namespace of process ids, pid, start of the
 * process. What it leaves behind carries the name, so that a later run can tell whether its owner still lives. Empty where there is no
 * /proc to ask.
 */
export function ownerName(): string {
  const self = readProcess(process.pid);
  if (self === null) return "";
  return [...places(), self.pid.toString(36), self.startTicks.toString(36)].join("-");
}

/** The owner that stands in a longer name between a prefix and a dash; null where none does. */
export function ownerIn(name: string, prefix: RegExp): string | null {
  const rest = name.replace(prefix, "");
  return rest === name ? null : (/^([0-9a-z]{5}-){3}[0-9a-z]+-[0-9a-z]+(?=-)/.exec(rest)?.[0] ?? null);
}

/** Whether an owner is surely gone. One on another machine, or in a namespace that cannot be seen from here, is not. */
export function isOwnerDead(name: string): boolean {
  const [machine, start, namespace, pid = "", ticks = ""] = name.split("-");
  const [ownMachine, ownStart, ownNamespace] = places();
  if (machine !== ownMachine || machine === unknown) return false;
  if (start !== ownStart) return true;
  if (namespace !== ownNamespace) return false;
  return readProcess(parseInt(pid, 36))?.startTicks !== parseInt(ticks, 36);
}

const unknown = "00000";

function places(): [string, string, string] {
  const namespace = attempt(() => readlinkSync("/proc/self/ns/pid"));
  return [
    short(attempt(() => readFileSync("/etc/machine-id", "utf8"))),
    short(attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"))),
    short(namespace),
  ];
}

function short(text: string): string {
  if (text.trim() === "") return unknown;
  return BigInt(`0x${createHash("sha256").update(text).digest("hex")}`)
    .toString(36)
    .slice(0, 5);
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
