import { CycleError } from "./errors.js";
import { known, readGraph } from "./graph.js";

/**
 * @param {readonly import("../types/index.js").Package[]} packages
 * @param {import("../types/index.js").BuildOptions} [options]
 * @returns {string[]}
 * @throws {CycleError}
 */
export function buildOrder(packages, { only, ...options } = {}) {
  const graph = readGraph(packages, options);
  return order(graph, only === undefined ? [...graph.keys()] : known(graph, only));
}

/**
 * The packages and what they need, each behind its dependencies: depth first, in order of the names.
 *
 * @param {import("./graph.js").Graph} graph
 * @param {readonly string[]} names
 * @returns {string[]}
 * @throws {CycleError}
 */
export function order(graph, names) {
  /** @type {Set<string>} */
  const done = new Set();
  /** @type {string[]} */
  const path = [];

  /** @param {string} name */
  function visit(name) {
    if (done.has(name)) return;
    if (path.includes(name)) throw new CycleError(closed(path, name));
    path.push(name);
    for (const needed of graph.get(name) ?? []) visit(needed);
    path.pop();
    done.add(name);
  }

  for (const name of names) visit(name);
  return [...done];
}

/**
 * The cycle at the end of a path whose last package needs `needed`, from the name that sorts first.
 *
 * @param {readonly string[]} path
 * @param {string} needed
 */
function closed(path, needed) {
  const cycle = path.slice(path.indexOf(needed));
  const first = cycle.reduce((best, name, index) => (name < /** @type {string} */ (cycle[best]) ? index : best), 0);
  return [...cycle.slice(first), ...cycle.slice(0, first + 1)];
}
