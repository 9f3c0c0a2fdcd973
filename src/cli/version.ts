import { readFileSync } from "node:fs";

/** Version of this program, from the package.json nearest above this file (the build lies one folder deeper). */
export const harnessVersion: string = readVersion(new URL("../../", import.meta.url));

function readVersion(folder: URL): string {
  for (const candidate of [new URL("package.json", folder), new URL("../package.json", folder)]) {
    try {
      const parsed = JSON.parse(readFileSync(candidate, "utf8")) as { name?: string; version?: string };
      if (parsed.name === "harness-eval" && parsed.version !== undefined) return parsed.version;
    } catch {
      // Not there: the next folder up is tried.
    }
  }
  return "unknown";
}
