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
 * The packages and what they need, each behind its dependencies: depth first, in order of the names. Keeps its own stack, since
 * chains may be longer than the call stack is deep.
 *
 * @param {import("./graph.js").Graph} graph
 * @param {readonly string[]} names
 * @returns {string[]}
 * @throws {CycleError}
 */
export function order(graph, names) {
  /** @type {Set<string>} in the order in which they are done */
  const done = new Set();
  for (const root of names) {
    if (done.has(root)) continue;
    const path = [step(graph, root)];
    const onPath = new Set([root]);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const needed = last.needs[last.next];
      last.next += 1;
      if (needed === undefined) {
        path.pop();
        onPath.delete(last.name);
        done.add(last.name);
      } else if (onPath.has(needed)) {
        throw new CycleError([...path.map(({ name }) => name), needed]);
      } else if (!done.has(needed)) {
        path.push(step(graph, needed));
        onPath.add(needed);
      }
    }
  }
  return [...done];
}

/**
 * @param {import("./graph.js").Graph} graph
 * @param {string} name
 */
function step(graph, name) {
  return { name, needs: graph.get(name) ?? [], next: 0 };
}
