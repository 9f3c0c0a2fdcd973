import { known, readGraph, reverse } from "./graph.js";

/**
 * @param {readonly import("../types/index.js").Package[]} packages
 * @param {readonly string[]} changed
 * @param {import("../types/index.js").GraphOptions} [options]
 * @returns {string[]}
 */
export function affected(packages, changed, options) {
  const graph = readGraph(packages, options);
  const users = reverse(graph);
  const found = new Set(known(graph, changed));
  // A set that grows while it is walked through is walked through to its new end.
  for (const name of found) {
    for (const user of users.get(name) ?? []) found.add(user);
  }
  return [...found].sort();
}
