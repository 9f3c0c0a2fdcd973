import type { RunRecord } from "./schema.ts";

/**
 * Makes runs share the strings that they have in common: JSON.parse makes a new string of each, and a million copies of
 * one cohort id alone are 80 MB.
 */
export function runInterner(): (run: RunRecord) => void {
  const strings = new Map<string, string>();
  const shared = (text: string): string => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, text);
    return text;
  };
  return (run) => {
    run.taskID = shared(run.taskID);
    run.arm = shared(run.arm);
    run.model = shared(run.model);
    run.cohort = shared(run.cohort);
    if (run.fixtureRevision !== undefined) run.fixtureRevision = shared(run.fixtureRevision);
    if (run.containment !== undefined) run.containment = shared(run.containment);
  };
}
