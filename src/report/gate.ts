import type { GateDecision, GatePolicy } from "../compare/gate.ts";
import { renderMarkdown, prose, table } from "./markdown.ts";
import { plain } from "./plain.ts";

/** What a gate's decision means for whoever asked: an undecided one by the policy's own word. */
export type GateOutcome = "pass" | "fail" | "undecided";

export function gateOutcome({ decision }: GateDecision, { onInconclusive }: GatePolicy): GateOutcome {
  if (decision !== "undecided") return decision === "passed" ? "pass" : "fail";
  if (onInconclusive === undefined) return "undecided";
  return onInconclusive === "fail" ? "fail" : "pass";
}

/** The decision and its reason as one line, without a line end. */
export function gateLine(gate: GateDecision, { onInconclusive }: GatePolicy): string {
  const { decision, reason } = gate;
  const meaning =
    decision === "undecided" && onInconclusive !== undefined ? `, which the policy takes as ${onInconclusive}` : "";
  return plain(`gate ${decision}${meaning}: ${reason}`);
}

const icons = { met: "✅", broken: "❌", undecided: "❔", "not-assessed": "➖" } as const;

/** GitHub-flavoured Markdown for a job summary or a comment on a pull request. */
export function gateSummary(gate: GateDecision, policy: GatePolicy): string {
  const rows = gate.checks.map(({ name, status, message }) => [`${icons[status]} ${status}`, name, prose(message)]);
  const head = [`## ${gateHeading(gate, policy)}`, table(["", "question", "answer"], rows, "l")];
  return `${head.join("\n\n")}\n\n<details><summary>Comparison</summary>\n\n${renderMarkdown(gate.comparison)}\n</details>\n`;
}

function gateHeading({ decision }: GateDecision, { onInconclusive }: GatePolicy): string {
  if (decision !== "undecided") return `Gate ${decision}`;
  return onInconclusive === undefined ? "Gate undecided" : `Gate undecided, taken as ${onInconclusive}`;
}

/** A workflow command that GitHub Actions shows beside the job; without a line end. */
export function gateAnnotation(gate: GateDecision, policy: GatePolicy): string {
  const level = { pass: "notice", undecided: "warning", fail: "error" }[gateOutcome(gate, policy)];
  const line = gateLine(gate, policy).replace(/%/g, "%25");
  return `::${level} title=harness-eval gate::${line}`;
}
