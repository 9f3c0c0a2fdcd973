import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { loadManifest } from "../../src/manifest/load.ts";
import { InputError } from "../../src/problem.ts";

export type Fields = Record<string, unknown>;

export const task = {
  id: "parse-dates",
  prompt: "Make the parser accept ISO dates.",
  files: [{ path: "src/parse.js", content: "export const parse = () => null;\n" }],
  oracle: "process.exit(1);",
};

/** A manifest with the fields that ax-code documents, and defaults for what may be left out. */
export const documented = {
  model: "provider/model",
  runtimeRevision: "v1.2.3",
  arms: [{ name: "baseline" }, { name: "candidate", features: { context_recovery: true }, toolProfile: "core" }],
  tasks: [task],
};

/** Every field that may be left out, with its documented default. */
export const defaults = {
  command: ["ax-code"],
  repetitions: 3,
  timeoutMs: 120_000,
  agent: "ax-code",
  sandbox: "workspace-write",
  home: "inherit",
  oracleTimeoutMs: 10_000,
};

export const withTask = (changes: Fields): Fields => ({ ...documented, tasks: [{ ...task, ...changes }] });

export const withArm = (changes: Fields): Fields => ({
  ...documented,
  arms: [documented.arms[0], { name: "candidate", ...changes }],
});

export const withFiles = (...paths: string[]): Fields =>
  withTask({ files: paths.map((path) => ({ path, content: "" })) });

/** A temporary folder for each test of a file. */
export function temporaryFolder() {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "manifest-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function put(path: string, content: string | Buffer): string {
    const absolute = join(folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    return absolute;
  }
  const putManifest = (manifest: unknown) => put("manifest.json", JSON.stringify(manifest, null, 2));

  /** The lines of the refusal, without the folder. */
  async function refusal(path: string): Promise<string[]> {
    const error: unknown = await loadManifest(path).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message.split("\n").map((line) => line.replaceAll(`${folder}/`, ""));
  }

  return {
    path: (...parts: string[]) => join(folder, ...parts),
    put,
    load: (manifest: unknown) => loadManifest(putManifest(manifest)),
    cohortOf: async (manifest: unknown) => (await loadManifest(putManifest(manifest))).manifest.cohort,
    refusal,
    refusalOf: (manifest: unknown) => refusal(putManifest(manifest)),
    refusalOfText: (text: string | Buffer) => refusal(put("manifest.json", text)),
  };
}
