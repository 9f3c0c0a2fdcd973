import { markdownTable } from "markdown-table";
import type { Comparison } from "../compare/comparison.ts";
import { groupCells, omittedCells, type Group } from "./groups.ts";
import { counted, formatCount } from "./numbers.ts";
import { fit, plain, visible } from "./plain.ts";
import { verdictTexts } from "./verdict.ts";
import { cellRow, totalRows, type Row } from "./rows.ts";

/** GitHub-flavoured Markdown. Names from records stand in code spans, so they are neither markup, links nor mentions. */
export function renderMarkdown(comparison: Comparison): string {
  const { baseline, candidate, pairs, warnings } = comparison;
  const { rows, notes } = totalRows(comparison);
  const groups = groupCells(comparison);
  const blocks = [
    `### ${armText("candidate", candidate.arm)} against ${armText("baseline", baseline.arm)}`,
    `${counted(baseline.count, "pair")}, ${extent(comparison, groups)}.`,
    ...verdicts(comparison),
    table(
      ["", "baseline", "candidate", "change"],
      rows.map((row) => [marked(row), ...values(row)]),
    ),
    notes.map((note, index) => `${index + 1}. ${note}`).join("\n"),
    table(
      ["pairs", "candidate verified", "candidate not verified"],
      [
        ["baseline verified", formatCount(pairs.both), formatCount(pairs.baselineOnly)],
        ["baseline not verified", formatCount(pairs.candidateOnly), formatCount(pairs.neither)],
      ],
    ),
    ...taskTables(groups),
    ...list(
      "Warnings",
      warnings.map(({ code, message }) => `${prose(message)} (\`${code}\`)`),
    ),
    ...list("What this does not establish", comparison.limitations.map(prose)),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function verdicts(comparison: Comparison): string[] {
  const texts = verdictTexts(comparison);
  return texts.flatMap(({ model, cohort, headline, reasons }) => {
    const where = texts.length === 1 ? "" : ` (model ${name(model)}, cohort ${name(cohort)})`;
    return [`**Verdict: ${headline}**${where}`, reasons.map((text) => `- ${prose(text)}`).join("\n")];
  });
}

function extent({ cells }: Comparison, groups: readonly Group[]): string {
  const [group] = groups;
  return groups.length === 1 && group !== undefined
    ? `${counted(cells.length, "task")}, ${place(group)}`
    : `${formatCount(cells.length)} cells in ${groups.length} models or cohorts`;
}

function armText(role: string, arm: string): string {
  return arm === role ? role : `${name(arm)} (${role})`;
}

function taskTables(groups: readonly Group[]): string[] {
  const shown = groups.filter((group) => group.cells.length > 0);
  const tables = shown.flatMap((group) => [
    ...(groups.length > 1 ? [capital(`${place(group)}:`)] : []),
    table(
      ["task (verified, median)", "baseline", "candidate", "change"],
      group.cells.map(cellRow).map((row) => [name(row.what), ...values(row)]),
    ),
  ]);
  const omitted = omittedCells(groups);
  return omitted === 0 ? tables : [...tables, `${counted(omitted, "more task")}: see the JSON.`];
}

/** @param align of all columns but the first */
export function table(head: string[], rows: string[][], align: "l" | "r" = "r"): string {
  return markdownTable([head, ...rows], { align: ["l", ...head.slice(1).map(() => align)] });
}

function values({ baseline, candidate, change }: Row): string[] {
  return [baseline, candidate, change];
}

function marked({ what, note }: Row): string {
  return note === undefined ? what : `${what} (${note})`;
}

function place({ model, cohort }: Group): string {
  return `model ${name(model)}, cohort ${name(cohort)}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A code span, without the two characters that could end it or its cell. */
function name(text: string): string {
  return `\`${fit(plain(text), 80).replace(/[`|]/g, visible)}\``;
}

/** A sentence that may hold names from records. */
export function prose(text: string): string {
  return plain(text)
    .replace(/@/g, visible)
    .replace(/[\\`*_[\]<>|~&#$]/g, "\\$&")
    .replace(/:\/\//g, ":\\//")
    .replace(/www\./gi, (found) => found.replace(".", "\\."));
}

function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`**${heading}**`, items.map((text) => `- ${text}`).join("\n")];
}
