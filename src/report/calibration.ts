import type { Calibration } from "../compare/calibration.ts";
import type { Estimated } from "../compare/inference/metrics.ts";
import {
  counted,
  formatCount,
  formatPoints,
  formatPointsRange,
  formatRate,
  formatRatio,
  formatRatioRange,
} from "./numbers.ts";
import { plain, wrap } from "./plain.ts";

/** An A/A cohort for a terminal, 80 columns. */
export function renderCalibration(calibration: Calibration): string {
  const { tasks, pairs, model, cohort, difference, order, latency, relabelings, warnings } = calibration;
  const lines = [
    `A/A: ${counted(pairs, "pair")} of ${counted(tasks, "task")}, model ${plain(model)}, cohort ${plain(cohort).slice(0, 12)}`,
    `difference in success: ${formatPoints(difference.estimate)}, ${intervalText(difference, formatPointsRange)}; it should hold 0`,
    `place in the pair: ${order.effect === null ? "no effect known" : `second is worth ${formatPoints(order.effect)}`}, ${intervalText({ ...order, estimate: order.effect }, formatPointsRange)}`,
    `latency: ratio ${latency.ratio.estimate === null ? "unknown" : formatRatio(latency.ratio.estimate)}, ${intervalText(latency.ratio, formatRatioRange)}; it should hold 1`,
    `labels dealt out anew ${formatCount(relabelings.times)} times (seed ${relabelings.seed}): improved ${formatRate(relabelings.improved)}, regressed ${formatRate(relabelings.regressed)}, each at most 2.5% if the test is right`,
    gateText(calibration),
    ...warnings.map(({ code, message }) => `warning: ${plain(message)} (${code})`),
  ];
  return `${lines.flatMap((line) => wrap(line, 80)).join("\n")}\n`;
}

function intervalText(
  { interval, reason }: Estimated,
  format: (interval: { lower: number; upper: number }) => string,
): string {
  if (interval === null) return `no interval (${reason?.message})`;
  return `${Number((interval.level * 100).toFixed(4))}% interval ${format(interval)}`;
}

function gateText({ relabelings: { gate } }: Calibration): string {
  if (gate === null) return "gate: not tried; --policy FILE says what it would have decided";
  return `gate: failed ${formatRate(gate.failed)}, undecided ${formatRate(gate.undecided)}, passed ${formatRate(gate.passed)}; every failure is a false one`;
}
