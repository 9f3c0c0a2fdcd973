import type { Comparison } from "../compare/comparison.ts";
import type { GateDecision } from "../compare/gate.ts";

/** Indented JSON, ended by a line end. Characters that could drive a terminal are escaped, so that it may be printed on one. */
export function renderJson(result: Comparison | GateDecision): string {
  return `${JSON.stringify(result, null, 2).replace(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
