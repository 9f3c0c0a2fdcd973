import Builder from "fast-xml-builder";
import type { GateDecision, GatePolicy } from "../compare/gate.ts";
import { gateOutcome } from "./gate.ts";
import { plain } from "./plain.ts";

/** JUnit XML as GitLab and Jenkins read it: a test case for each question of the gate. */
export function renderJunit(gate: GateDecision, policy: GatePolicy): string {
  const outcome = gateOutcome(gate, policy);
  const { baseline, candidate } = gate.comparison;
  const cases = gate.checks.map(({ name, status, message }) => {
    const text = plain(message);
    const attributes = { "@name": name, "@classname": "harness-eval.gate", "@time": "0" };
    if (status === "broken") return { ...attributes, failure: { "@message": text, "@type": "broken" } };
    // Jenkins and GitLab show an error as red as a failure, so that an undecided gate that lets pass must not have one.
    if (status === "undecided" && outcome !== "pass")
      return { ...attributes, error: { "@message": text, "@type": status } };
    if (status !== "met") return { ...attributes, skipped: { "@message": text } };
    return { ...attributes, "system-out": text };
  });
  const counts = {
    "@tests": String(cases.length),
    "@failures": String(cases.filter((one) => "failure" in one).length),
    "@errors": String(cases.filter((one) => "error" in one).length),
    "@skipped": String(cases.filter((one) => "skipped" in one).length),
    "@time": "0",
  };
  const name = plain(`${candidate.arm} against ${baseline.arm}`);
  const suite = { "@name": name, ...counts, testcase: cases };
  const builder = new Builder({ ignoreAttributes: false, attributeNamePrefix: "@", format: true });
  return builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: { "@name": "harness-eval gate", ...counts, testsuite: suite },
  });
}
