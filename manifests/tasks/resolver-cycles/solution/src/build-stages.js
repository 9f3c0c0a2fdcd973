import { order } from "./build-order.js";
import { known, readGraph } from "./graph.js";

/**
 * @param {readonly import("../types/index.js").Package[]} packages
 * @param {import("../types/index.js").BuildOptions} [options]
 * @returns {string[][]}
 * @throws {CycleError}
 */
export function buildStages(packages, { only, ...options } = {}) {
  const graph = readGraph(packages, options);
  /** @type {string[][]} */
  const stages = [];
  /** @type {Map<string, number>} */
  const depths = new Map();
  for (const name of order(graph, only === undefined ? [...graph.keys()] : known(graph, only))) {
    let depth = 0;
    for (const needed of graph.get(name) ?? []) depth = Math.max(depth, (depths.get(needed) ?? 0) + 1);
    depths.set(name, depth);
    (stages[depth] ??= []).push(name);
  }
  return stages.map((stage) => stage.sort());
}
