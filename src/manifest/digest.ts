import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { FixtureFile } from "./resolved.ts";
import type { Resolution } from "./resolve.ts";
import type { Manifest } from "./schema.ts";

/**
 * The cohort id: SHA-256 of the canonical JSON (RFC 8785) of the resolved manifest. Files count by their content, so
 * it depends neither on the machine nor on where a file lies; commands count as they are written.
 */
export function cohortID(resolution: Resolution, manifest: Manifest): string {
  const { agent, model, runtimeRevision, repetitions, home, passEnv, margin, arms, tasks } = resolution;
  const counted = {
    ...{ agent, model, runtimeRevision, repetitions, home, passEnv, margin },
    arms: arms.map(({ role, commandGiven, files, ...arm }, index) => ({
      ...arm,
      command: manifest.arms[index]?.command ?? manifest.command,
      files: files.map(countedFile),
    })),
    tasks: tasks.map(({ files, solution, ...task }) => ({
      ...task,
      files: files.map(countedFile),
      solution: solution.map(countedFile),
    })),
  };
  return createHash("sha256")
    .update(canonicalize(withoutUndefined(counted)) ?? "")
    .digest("hex");
}

function countedFile({ path, content, executable }: FixtureFile) {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const text = isUtf8(bytes) ? { content: bytes.toString("utf8") } : { base64: bytes.toString("base64") };
  return { path, executable, ...text };
}

function withoutUndefined(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
