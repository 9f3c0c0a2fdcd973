import { InvalidQueryError } from "./errors.js";

/**
 * @typedef {import("../types/index.js").OrderPageQuery} OrderPageQuery
 * @typedef {import("../types/index.js").OrderStatus} OrderStatus
 */

/** @type {readonly OrderStatus[]} */
const statuses = ["open", "paid", "shipped", "cancelled"];
const known = ["status", "customer", "limit", "after"];

/**
 * @param {URLSearchParams} params
 * @returns {OrderPageQuery}
 * @throws {InvalidQueryError}
 */
export function readOrderQuery(params) {
  for (const name of params.keys()) {
    if (!known.includes(name)) throw new InvalidQueryError(`there is no parameter "${name}"`);
  }
  /** @type {OrderPageQuery} */
  const query = {};
  const status = params.get("status");
  if (status !== null) query.status = readStatus(status);
  const customer = params.get("customer");
  if (customer !== null) query.customerId = customer;
  const limit = params.get("limit");
  if (limit !== null) query.limit = /^\d+$/.test(limit) ? Number(limit) : Number.NaN;
  const after = params.get("after");
  if (after !== null) query.after = after;
  return query;
}

/** @param {string} text */
function readStatus(text) {
  const status = statuses.find((name) => name === text);
  if (status === undefined) throw new InvalidQueryError(`"${text}" is no status`);
  return status;
}
