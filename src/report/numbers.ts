/** Shown where there is no value; a note says why. */
export const noValue = "n/a";

/** Grouped by thousands; what would be wider than a column, with an exponent. */
export function formatCount(value: number): string {
  if (value >= 1e12) return value.toExponential(3);
  const [whole = "", fraction] = String(value).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1 pair`, `2 pairs`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** 0 to 1 as a percentage. */
export function formatRate(rate: number): string {
  return `${(rate * 100).toFixed(1)}%`;
}

/** A difference of rates in percentage points. */
export function formatPoints(difference: number): string {
  return `${signed(difference, (size) => (size * 100).toFixed(1))} pp`;
}

/** Limits of a difference of rates, in percentage points. */
export function formatPointsRange({ lower, upper }: { lower: number; upper: number }): string {
  const limit = (value: number) => signed(value, (size) => (size * 100).toFixed(1));
  return `${limit(lower)}..${limit(upper)}`;
}

export function formatRatioRange({ lower, upper }: { lower: number; upper: number }): string {
  return `${threeDigits(lower)}..${threeDigits(upper)}`;
}

export function formatDifference(difference: number): string {
  return signed(difference, formatCount);
}

export function formatRatio(ratio: number): string {
  return `x ${threeDigits(ratio)}`;
}

export function formatMilliseconds(ms: number): string {
  if (ms < 999.5) return `${threeDigits(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 119.5) return `${threeDigits(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 119.5 ? `${threeDigits(minutes)} min` : `${threeDigits(minutes / 60)} h`;
}

/** The sign of what is shown, so that a difference that rounds to nothing has none. */
function signed(difference: number, format: (size: number) => string): string {
  const size = format(Math.abs(difference));
  if (!/[1-9]/.test(size)) return size;
  return `${difference < 0 ? "-" : "+"}${size}`;
}

function threeDigits(value: number): string {
  if (value === 0) return "0";
  if (value < 0.005) return "<0.01";
  if (value < 9.995) return value.toFixed(2);
  if (value < 99.95) return value.toFixed(1);
  return formatCount(Math.round(value));
}
