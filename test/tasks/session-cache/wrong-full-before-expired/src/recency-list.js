/**
 * Keys in order of use. Every operation but iteration takes constant time.
 *
 * @template K
 */
export class RecencyList {
  /** @type {Map<K, { key: K, newer: any, older: any }>} */
  #nodes = new Map();
  #newest = null;
  #oldest = null;

  get size() {
    return this.#nodes.size;
  }

  /** The key that was not used for the longest time, or undefined. */
  get oldest() {
    return this.#oldest?.key;
  }

  /** Makes `key` the most recent one; adds it where it is new. */
  touch(key) {
    const known = this.#nodes.get(key);
    if (known === undefined) {
      const node = { key, newer: null, older: null };
      this.#nodes.set(key, node);
      this.#putFirst(node);
      return;
    }
    if (known === this.#newest) return;
    known.newer.older = known.older;
    if (known.older === null) this.#oldest = known.newer;
    else known.older.newer = known.newer;
    this.#putFirst(known);
  }

  /** @returns {boolean} whether the key was there. */
  remove(key) {
    const node = this.#nodes.get(key);
    if (node === undefined) return false;
    this.#nodes.delete(key);
    if (node.newer === null) this.#newest = node.older;
    else node.newer.older = node.older;
    if (node.older === null) this.#oldest = node.newer;
    else node.older.newer = node.newer;
    return true;
  }

  clear() {
    this.#nodes.clear();
    this.#newest = null;
    this.#oldest = null;
  }

  /** The most recent key first. */
  *[Symbol.iterator]() {
    for (let node = this.#newest; node !== null; node = node.older) yield node.key;
  }

  #putFirst(node) {
    node.newer = null;
    node.older = this.#newest;
    if (this.#newest !== null) this.#newest.newer = node;
    this.#newest = node;
    if (this.#oldest === null) this.#oldest = node;
  }
}
