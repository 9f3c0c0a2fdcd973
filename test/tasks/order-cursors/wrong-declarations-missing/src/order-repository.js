import { readCursor, writeCursor } from "./cursor.js";
import { InvalidQueryError } from "./errors.js";
import { Table } from "./table.js";

/**
 * @typedef {import("../types/index.js").Order} Order
 * @typedef {import("../types/index.js").OrderPage} OrderPage
 * @typedef {import("../types/index.js").OrderPageQuery} OrderPageQuery
 * @typedef {import("../types/index.js").OrderQuery} OrderQuery
 * @typedef {import("./cursor.js").Position} Position
 */

export class OrderRepository {
  /** @type {Table<Order>} */
  #table = new Table();

  /** @param {Order} order */
  save(order) {
    this.#table.put(Object.freeze({ ...order }));
  }

  /** @param {string} id */
  remove(id) {
    return this.#table.delete(id);
  }

  /** @param {string} id */
  get(id) {
    return this.#table.get(id);
  }

  /** @param {OrderQuery} [query] */
  find(query = {}) {
    return this.#table.scan({ where: (order) => matches(order, query), orderBy: latestFirst });
  }

  /**
   * @param {OrderPageQuery} [query]
   * @returns {OrderPage}
   */
  page({ limit = 20, after, ...query } = {}) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
      throw new InvalidQueryError("the limit must be a whole number from 1 to 100");
    }
    const position = after === undefined ? undefined : readCursor(after, query);
    const found = this.#table.scan({
      where: (order) => matches(order, query) && (position === undefined || latestFirst(position, order) < 0),
      orderBy: latestFirst,
      limit: limit + 1,
    });
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: found.length > limit && last !== undefined ? writeCursor(last, query) : null };
  }
}

/**
 * @param {Order} order
 * @param {OrderQuery} query
 */
function matches(order, { status, customerId }) {
  return (
    (status === undefined || order.status === status) && (customerId === undefined || order.customerId === customerId)
  );
}

/**
 * @param {Position} a
 * @param {Position} b
 */
function latestFirst(a, b) {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
