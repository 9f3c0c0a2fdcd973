import Table from "cli-table3";
import picocolors from "picocolors";
import type { Comparison } from "../compare/comparison.ts";
import { groupCells, omittedCells, type Group } from "./groups.ts";
import { counted, formatCount } from "./numbers.ts";
import { fit, plain, wrap } from "./plain.ts";
import { verdictTexts } from "./verdict.ts";
import { cellRow, totalRows, type Row } from "./rows.ts";

export interface TableOptions {
  /** Columns of the terminal; kept between 60 and 120. Default 80. */
  width?: number;
  /** Default false. */
  color?: boolean;
}

/** A table for a terminal. Colour underlines what signs and words say; it says nothing alone. */
export function renderTable(comparison: Comparison, options: TableOptions = {}): string {
  const width = Math.min(Math.max(options.width ?? 80, 60), 120);
  const paint = picocolors.createColors(options.color ?? false);
  const layout = { width, paint };
  const { rows, notes } = totalRows(comparison);
  const groups = groupCells(comparison);
  const blocks = [
    wrap(title(comparison, groups), width).join("\n"),
    ...verdicts(layout, comparison),
    grid(
      layout,
      heads(layout, comparison, ""),
      rows.map((row) => cells(layout, row)),
    ),
    notes.map((note, index) => item(`[${index + 1}]`, note, width)).join("\n"),
    pairGrid(layout, comparison),
    taskGrid(layout, comparison, groups),
    ...list(
      "Warnings",
      comparison.warnings.map(({ code, message }) => `${message} (${code})`),
      layout,
      paint.yellow,
    ),
    ...list("What this does not establish", comparison.limitations, layout, paint.bold),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The answer before the numbers. */
function verdicts(layout: Layout, comparison: Comparison): string[] {
  const texts = verdictTexts(comparison);
  const { paint, width } = layout;
  return texts.map(({ model, cohort, headline, reasons }) => {
    const where = texts.length === 1 ? "" : ` (model ${plain(model)}, cohort ${plain(cohort)})`;
    const head = wrap(`Verdict: ${headline}${where}`, width).map((line) => paint.bold(line));
    return [...head, ...reasons.map((text) => item("-", text, width))].join("\n");
  });
}

interface Layout {
  width: number;
  paint: ReturnType<typeof picocolors.createColors>;
}

/** Columns of text for each arm, and for the change between them. */
const valueColumns = 17;
const changeColumns = 12;
const padding = 2;
const borders = 5;

/** Columns of text that are left for the first column. */
function nameColumns({ width }: Layout): number {
  return width - borders - 4 * padding - 2 * valueColumns - changeColumns;
}

function title({ baseline, candidate, cells: all }: Comparison, groups: readonly Group[]): string {
  const [group] = groups;
  const where =
    groups.length === 1 && group !== undefined
      ? `${counted(all.length, "task")}, model ${plain(group.model)}, cohort ${plain(group.cohort)}`
      : `${formatCount(all.length)} cells in ${groups.length} models or cohorts`;
  return `${armText("candidate", candidate.arm)} against ${armText("baseline", baseline.arm)}: ${counted(baseline.count, "pair")}, ${where}`;
}

function armText(role: string, arm: string): string {
  return arm === role ? role : `${plain(arm)} (${role})`;
}

function heads({ paint }: Layout, { baseline, candidate }: Comparison, first: string): string[] {
  const head = (role: string, arm: string) =>
    arm === role ? paint.bold(role) : `${paint.bold(role)}\n${fit(plain(arm), valueColumns)}`;
  return [first, head("baseline", baseline.arm), head("candidate", candidate.arm), paint.bold("change")];
}

function cells(layout: Layout, { what, baseline, candidate, change, note }: Row): string[] {
  const mark = note === undefined ? "" : ` [${note}]`;
  return [fit(plain(what), nameColumns(layout) - mark.length) + mark, baseline, candidate, paintChange(layout, change)];
}

/** Success alone has a good direction. */
function paintChange({ paint }: Layout, change: string): string {
  if (!change.endsWith(" pp")) return change;
  if (change.startsWith("+")) return paint.green(change);
  return change.startsWith("-") ? paint.red(change) : change;
}

type TableRow = (string | { content: string; colSpan: number })[];

function grid(layout: Layout, head: string[], rows: TableRow[]): string {
  const table = new Table({
    head,
    colWidths: [nameColumns(layout), valueColumns, valueColumns, changeColumns].map((columns) => columns + padding),
    colAligns: ["left", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows);
  return table.toString();
}

function pairGrid(layout: Layout, { pairs }: Comparison): string {
  const count = (value: number) => formatCount(value);
  return grid(
    layout,
    ["pairs", "candidate\nverified", "candidate\nnot verified", ""],
    [
      ["baseline verified", count(pairs.both), count(pairs.baselineOnly), ""],
      ["baseline not verified", count(pairs.candidateOnly), count(pairs.neither), ""],
    ],
  );
}

function taskGrid(layout: Layout, comparison: Comparison, groups: readonly Group[]): string {
  const rows = groups.flatMap((group): TableRow[] => {
    const title = fit(`model ${plain(group.model)}, cohort ${plain(group.cohort)}`, layout.width - 4);
    const own = group.cells.map((cell) => cells(layout, cellRow(cell)));
    return groups.length > 1 && own.length > 0 ? [[{ content: title, colSpan: 4 }], ...own] : own;
  });
  const omitted = omittedCells(groups);
  const more = omitted === 0 ? "" : `\n${counted(omitted, "more task")}: see --format json`;
  return `${grid(layout, heads(layout, comparison, "task\n(verified, median)"), rows)}${more}`;
}

function list(heading: string, items: readonly string[], { width }: Layout, paint: (text: string) => string): string[] {
  if (items.length === 0) return [];
  return [[paint(heading), ...items.map((text) => item("-", plain(text), width))].join("\n")];
}

function item(mark: string, text: string, width: number): string {
  const indent = " ".repeat(mark.length + 1);
  return wrap(text, width - indent.length)
    .map((line, index) => `${index === 0 ? `${mark} ` : indent}${line}`)
    .join("\n");
}
