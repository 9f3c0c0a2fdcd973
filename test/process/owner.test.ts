import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isOwnerDead, ownerIn, ownerName } from "../../src/process/owner.ts";

const own = ownerName();
const [machine, start, namespace, pid, ticks] = own.split("-");
const named = (...parts: (string | undefined)[]): string => parts.join("-");

test("this process is not dead, whoever asks", () => {
  expect(own).toMatch(/^([0-9a-z]{5}-){3}[0-9a-z]+-[0-9a-z]+$/);
  expect(isOwnerDead(own)).toBe(false);
});

test("a process that ended is, and so is one whose number another process has now", async () => {
  const child = spawn("true");
  await once(child, "close");
  expect(isOwnerDead(named(machine, start, namespace, child.pid!.toString(36), ticks))).toBe(true);
  expect(isOwnerDead(named(machine, start, namespace, pid, "1"))).toBe(true);
});

test("before this start of the machine all are; elsewhere none is known to be", () => {
  expect(isOwnerDead(named(machine, "zzzzz", namespace, pid, ticks))).toBe(true);
  expect(isOwnerDead(named("zzzzz", start, namespace, "1", "1"))).toBe(false);
  expect(isOwnerDead(named("00000", start, namespace, "1", "1"))).toBe(false);
  expect(isOwnerDead(named(machine, start, "zzzzz", "1", "1"))).toBe(false);
});

test("is found in a folder's name, behind its prefix only", () => {
  const prefix = /^harness-eval-[a-z]+-/;
  expect(ownerIn(`harness-eval-attempt-${own}-4711-AbCdEf123456`, prefix)).toBe(own);
  expect(ownerIn("harness-eval-try-4711-AbCdEf123456", prefix)).toBeNull();
  expect(ownerIn(`harness-eval-${own}`, prefix)).toBeNull();
  expect(ownerIn(`other-${own}-1-a`, prefix)).toBeNull();
});
