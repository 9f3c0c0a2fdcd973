import { InvalidQueryError } from "./errors.js";
import { readOrderQuery } from "./order-query.js";

/**
 * @param {import("./order-service.js").OrderService} service
 * @param {string} url
 * @returns {import("../types/index.js").HttpAnswer}
 */
export function handleOrders(service, url) {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  try {
    const query = readOrderQuery(searchParams);
    const summary = service.summary(query);
    if (query.limit === undefined && query.after === undefined) {
      return { status: 200, body: { orders: service.list(query), summary } };
    }
    const { items, nextCursor } = service.page(query);
    return { status: 200, body: { orders: items, summary, next: nextPath(pathname, searchParams, nextCursor) } };
  } catch (error) {
    if (error instanceof InvalidQueryError) return { status: 400, body: { error: error.message } };
    throw error;
  }
}

/**
 * @param {string} pathname
 * @param {URLSearchParams} params of this page
 * @param {string | null} cursor
 */
function nextPath(pathname, params, cursor) {
  if (cursor === null) return null;
  const next = new URLSearchParams(params);
  next.set("after", cursor);
  return `${pathname}?${next}`;
}
