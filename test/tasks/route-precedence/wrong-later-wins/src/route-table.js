import { comparePrecedence, compile, matchSegments, splitPath } from "./pattern.js";

/**
 * @typedef {object} Route
 * @property {string} method
 * @property {string} pattern
 * @property {(request: object) => unknown} handler
 * @property {import("./pattern.js").Segment[]} segments
 */

/** Routes in order of registration, the latest first. */
export class RouteTable {
  /** @type {Route[]} */
  #routes = [];

  add(method, pattern, handler) {
    this.#routes.unshift({ method, handler, ...compile(pattern) });
  }

  /** The routes whose pattern matches the path, each with its parameters, the one to prefer first. */
  matches(path) {
    const parts = splitPath(path);
    return this.#routes
      .map((route) => ({ route, params: matchSegments(route.segments, parts) }))
      .filter(({ params }) => params !== null)
      .sort((a, b) => comparePrecedence(a.route.segments, b.route.segments));
  }

  *[Symbol.iterator]() {
    yield* this.#routes;
  }
}
