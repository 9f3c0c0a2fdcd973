import { InvalidCursorError } from "./errors.js";

/** @typedef {import("../types/index.js").OrderQuery} OrderQuery */

/**
 * @param {number} offset
 * @param {OrderQuery} query
 */
export function writeCursor(offset, { status, customerId }) {
  return Buffer.from(JSON.stringify([offset, status ?? null, customerId ?? null])).toString("base64url");
}

/**
 * @param {string} cursor
 * @param {OrderQuery} query
 * @returns {number}
 */
export function readCursor(cursor, { status, customerId }) {
  try {
    const [offset, ofStatus, ofCustomer] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Number.isInteger(offset) && ofStatus === (status ?? null) && ofCustomer === (customerId ?? null)) return offset;
  } catch {
    // not JSON
  }
  throw new InvalidCursorError("this is no cursor of this query");
}
