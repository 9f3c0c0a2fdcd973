import { InvalidPeriodError } from "./errors.js";

/**
 * A stretch of time in milliseconds since the epoch, with its start and without its end.
 *
 * @typedef {{ start: number, end: number }} Period
 */

const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * @param {string} start ISO 8601 with an offset or `Z`
 * @param {string} end the same
 * @returns {Period}
 * @throws {InvalidPeriodError}
 */
export function readPeriod(start, end) {
  const period = { start: readInstant(start), end: readInstant(end) };
  if (period.start >= period.end) throw new InvalidPeriodError("the end must be after the start");
  return period;
}

/** Whether two periods have time in common; ones that only touch have none. */
export function overlaps(a, b) {
  return a.start < b.end && b.start < a.end;
}

function readInstant(text) {
  const instant = pattern.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant))
    throw new InvalidPeriodError(`"${text}" is no instant; write it as 2024-05-31T09:00+02:00`);
  return instant;
}
