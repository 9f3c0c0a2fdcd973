/**
 * @typedef {import("../types/index.js").OrderPageQuery} OrderPageQuery
 * @typedef {import("../types/index.js").OrderQuery} OrderQuery
 * @typedef {import("../types/index.js").OrderSummary} OrderSummary
 */

export class OrderService {
  #repository;

  /** @param {import("./order-repository.js").OrderRepository} repository */
  constructor(repository) {
    this.#repository = repository;
  }

  /** @param {OrderQuery} [query] */
  list(query) {
    return this.#repository.find(query);
  }

  /** @param {OrderPageQuery} [query] */
  page(query) {
    return this.#repository.page(query);
  }

  /**
   * Cancelled orders count for nothing.
   *
   * @param {OrderQuery} [query]
   * @returns {OrderSummary}
   */
  summary(query) {
    const orders = this.list(query).filter((order) => order.status !== "cancelled");
    return { count: orders.length, totalCents: orders.reduce((sum, order) => sum + order.totalCents, 0) };
  }
}
