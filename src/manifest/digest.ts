import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { FixtureFile, ResolvedArm, ResolvedTask } from "./resolved.ts";
import { writtenCommand, type Resolution } from "./resolve.ts";
import type { Manifest } from "./schema.ts";

/**
 * The cohort id: SHA-256 of the canonical JSON (RFC 8785) of the resolved manifest, as docs/manifest.md lays it out.
 * Files count by their content, so it depends neither on the machine nor on where a file lies; commands count as they
 * are written. A field that is absent does not count, so that fields to come leave the ids of today's manifests alone.
 */
export function cohortID(resolution: Resolution, manifest: Manifest): string {
  const { path, namedPaths, name, description, arms, tasks, ...counted } = resolution;
  const hash = createHash("sha256");
  // `tasks` is the last key in canonical order. One task after the other: all of them may not fit in one string.
  hash.update(`${canonical({ ...counted, arms: countedArms(arms, manifest) }).slice(0, -1)},"tasks":[`);
  for (const [index, task] of tasks.entries()) hash.update(`${index === 0 ? "" : ","}${canonical(countedTask(task))}`);
  return hash.update("]}").digest("hex");
}

/** Whether an attempt is the same in both arms. */
export function armsAreEqual({ arms }: Resolution, manifest: Manifest): boolean {
  const [baseline, candidate] = countedArms(arms, manifest).map(({ name, ...treatment }) => canonical(treatment));
  return baseline === candidate;
}

function countedArms(arms: readonly ResolvedArm[], manifest: Manifest) {
  return arms.map(({ role, commandGiven, files, ...arm }, index) => ({
    ...arm,
    command: writtenCommand(manifest, manifest.arms[index]),
    files: files.map(countedFile),
  }));
}

function countedTask({ files, solution, ...task }: ResolvedTask) {
  return { ...task, files: files.map(countedFile), solution: solution.map(countedFile) };
}

function countedFile({ path, content, executable }: FixtureFile) {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const text = isUtf8(bytes) ? { content: bytes.toString("utf8") } : { base64: bytes.toString("base64") };
  return { path, executable, ...text };
}

function canonical(value: object): string {
  return canonicalize(value) ?? "";
}
