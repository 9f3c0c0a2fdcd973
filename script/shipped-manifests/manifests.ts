import { join } from "node:path";
import { format } from "prettier";
import { featureNames, type FeatureName } from "../../src/manifest/resolved.ts";

/** The tasks in manifests/tasks/, in the order in which they are run, with their tags. */
const tasks: Record<string, string[]> = {
  "booking-overlap": ["javascript", "bug"],
  "config-secrets": ["typescript", "feature"],
  "csv-import": ["javascript", "bug"],
  "invoice-rounding": ["javascript", "bug"],
  "markdown-toc": ["javascript", "bug"],
  "order-cursors": ["typescript", "feature"],
  "resolver-cycles": ["typescript", "feature"],
  "retry-timers": ["javascript", "bug"],
  "route-precedence": ["javascript", "bug"],
  "session-cache": ["javascript", "bug"],
};

/** The features that the candidate has on, by the name of the manifest; the baseline has none. */
const experiments: Record<string, readonly FeatureName[]> = {
  ...Object.fromEntries(featureNames.map((feature) => [feature.replaceAll("_", "-"), [feature]])),
  "all-flags": featureNames,
};

/**
 * The manifests for ax-code, all on the same tasks.
 * @returns text by path, relative to the root of the project.
 */
export async function shippedManifests(): Promise<Map<string, string>> {
  const manifests = new Map<string, string>();
  for (const [name, features] of Object.entries(experiments)) {
    const text = JSON.stringify(manifest(name, features));
    manifests.set(join("manifests/ax-code", `${name}.json`), await format(text, { parser: "json", printWidth: 120 }));
  }
  return manifests;
}

function manifest(name: string, features: readonly FeatureName[]): object {
  return {
    $schema: "../manifest.schema.json",
    name: `ax-code-${name}`,
    description: `Does ax-code solve more of these tasks with ${features.join(", ")}? Change model and runtimeRevision to yours before the first run. This file is written by script/shipped-manifests.ts.`,
    agent: "ax-code",
    model: "anthropic/claude-sonnet-4-5",
    runtimeRevision: "the version or commit of ax-code that is under test",
    repetitions: 3,
    timeoutMs: 600_000,
    oracleTimeoutMs: 30_000,
    margin: 0.1,
    arms: [
      { name: "baseline" },
      { name: "candidate", features: Object.fromEntries(features.map((feature) => [feature, true])) },
    ],
    tasks: Object.entries(tasks).map(([id, tags]) => ({
      id,
      promptFile: `../tasks/${id}/prompt.md`,
      fixture: `../tasks/${id}/fixture`,
      oracleFile: `../../oracles/${id}.mjs`,
      solution: `../tasks/${id}/solution`,
      tags,
    })),
  };
}
