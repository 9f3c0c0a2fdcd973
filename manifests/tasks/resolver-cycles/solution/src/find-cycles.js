import { readGraph } from "./graph.js";

/**
 * The strongly connected components that hold a cycle (Tarjan's algorithm, with a stack of its own).
 *
 * @param {readonly import("../types/index.js").Package[]} packages
 * @param {import("../types/index.js").GraphOptions} [options]
 * @returns {string[][]}
 */
export function findCycles(packages, options) {
  const graph = readGraph(packages, options);
  /** @type {Map<string, { name: string, index: number, low: number, open: boolean, needs: readonly string[], next: number }>} */
  const nodes = new Map();
  /** @type {string[]} nodes whose component is not complete */
  const open = [];
  /** @type {string[][]} */
  const groups = [];

  /** @param {string} name */
  function enter(name) {
    const index = nodes.size;
    const node = { name, index, low: index, open: true, needs: graph.get(name) ?? [], next: 0 };
    nodes.set(name, node);
    open.push(name);
    return node;
  }

  for (const root of graph.keys()) {
    if (nodes.has(root)) continue;
    const path = [enter(root)];
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const needed = node.needs[node.next];
      node.next += 1;
      if (needed !== undefined) {
        const other = nodes.get(needed);
        if (other === undefined) path.push(enter(needed));
        else if (other.open) node.low = Math.min(node.low, other.index);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) parent.low = Math.min(parent.low, node.low);
      if (node.low < node.index) continue;
      const group = open.splice(open.lastIndexOf(node.name));
      for (const name of group) /** @type {{ open: boolean }} */ (nodes.get(name)).open = false;
      if (group.length > 1 || node.needs.includes(node.name)) groups.push(group.sort());
    }
  }
  return groups.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}
