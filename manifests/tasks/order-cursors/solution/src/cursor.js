import { InvalidCursorError } from "./errors.js";

/**
 * @typedef {import("../types/index.js").OrderQuery} OrderQuery
 * @typedef {{ createdAt: string, id: string }} Position of an order among all
 */

/**
 * @param {Position} position
 * @param {OrderQuery} query
 * @returns {string} letters, digits, `-` and `_`
 */
export function writeCursor({ createdAt, id }, { status, customerId }) {
  const fields = [createdAt, id, status ?? null, customerId ?? null];
  return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

/**
 * @param {string} cursor
 * @param {OrderQuery} query that it must have been written for
 * @returns {Position}
 * @throws {InvalidCursorError}
 */
export function readCursor(cursor, { status, customerId }) {
  const fields = parse(cursor);
  if (!Array.isArray(fields) || fields.length !== 4) throw new InvalidCursorError("this is no cursor");
  const [createdAt, id, ofStatus, ofCustomer] = fields;
  if (typeof createdAt !== "string" || typeof id !== "string") throw new InvalidCursorError("this is no cursor");
  if (ofStatus !== (status ?? null) || ofCustomer !== (customerId ?? null)) {
    throw new InvalidCursorError("this cursor belongs to another query");
  }
  return { createdAt, id };
}

/**
 * @param {string} cursor
 * @returns {unknown}
 */
function parse(cursor) {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}
