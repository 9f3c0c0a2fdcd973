import { RouteTable } from "./route-table.js";

/**
 * @typedef {{ kind: "found", pattern: string, handler: Function, params: Record<string, string> }
 *   | { kind: "method-not-allowed", allow: string[] }
 *   | { kind: "not-found" }} Resolution
 */

export class Router {
  #table = new RouteTable();

  /**
   * @param {string} method
   * @param {string} pattern
   * @param {(request: object) => unknown} handler
   */
  add(method, pattern, handler) {
    this.#table.add(method.toUpperCase(), pattern, handler);
    return this;
  }

  get(pattern, handler) {
    return this.add("GET", pattern, handler);
  }

  post(pattern, handler) {
    return this.add("POST", pattern, handler);
  }

  put(pattern, handler) {
    return this.add("PUT", pattern, handler);
  }

  delete(pattern, handler) {
    return this.add("DELETE", pattern, handler);
  }

  /** Adds the routes that `router` has now, below `prefix`, which is a pattern itself. */
  mount(prefix, router) {
    for (const route of router.#table) {
      this.#table.add(route.method, `${prefix}${route.pattern}`, route.handler);
    }
    return this;
  }

  /**
   * @param {string} method
   * @param {string} path without the query
   * @returns {Resolution}
   */
  resolve(method, path) {
    const matches = this.#table.matches(path);
    if (matches.length === 0) return { kind: "not-found" };
    for (const wanted of method === "HEAD" ? ["HEAD", "GET"] : [method]) {
      const best = matches.find(({ route }) => route.method === wanted);
      if (best !== undefined) {
        const { pattern, handler } = best.route;
        return { kind: "found", pattern, handler, params: best.params };
      }
    }
    const methods = new Set(matches.map(({ route }) => route.method));
    if (methods.has("GET")) methods.add("HEAD");
    return { kind: "method-not-allowed", allow: [...methods].sort() };
  }
}
