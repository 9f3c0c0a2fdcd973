import { readCursor, writeCursor } from "./cursor.js";
import { InvalidQueryError } from "./errors.js";
import { Table } from "./table.js";

/**
 * @typedef {import("../types/index.js").Order} Order
 * @typedef {import("../types/index.js").OrderPage} OrderPage
 * @typedef {import("../types/index.js").OrderPageQuery} OrderPageQuery
 * @typedef {import("../types/index.js").OrderQuery} OrderQuery
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
    const offset = after === undefined ? 0 : readCursor(after, query);
    const found = this.find(query);
    const end = offset + limit;
    return { items: found.slice(offset, end), nextCursor: end < found.length ? writeCursor(end, query) : null };
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
 * @param {Order} a
 * @param {Order} b
 */
function latestFirst(a, b) {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
