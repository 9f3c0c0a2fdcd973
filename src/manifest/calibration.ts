import { createHash } from "node:crypto";
import type { ResolvedManifest } from "./resolved.ts";

/** The manifest with the baseline's treatment in both arms, as a cohort of its own: whatever differs then is chance or the machine. */
export function calibrationOf(manifest: ResolvedManifest): ResolvedManifest {
  const [baseline] = manifest.arms;
  const again = { ...baseline, name: `${baseline.name.slice(0, 58)}-again`, role: "candidate" as const };
  const cohort = createHash("sha256").update(`calibration of ${manifest.cohort}`).digest("hex");
  return { ...manifest, arms: [baseline, again], cohort };
}
