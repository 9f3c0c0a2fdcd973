/**
 * Deadlines of keys, the earliest first.
 *
 * @template K
 */
export class ExpiryQueue {
  /** @type {{ key: K, at: number }[]} */
  #queue = [];

  get size() {
    return this.#queue.length;
  }

  /** Sets the deadline of `key` to `at`, in milliseconds, in place of an earlier one. */
  schedule(key, at) {
    this.cancel(key);
    this.#queue.splice(this.#position(at), 0, { key, at });
  }

  /** @returns {boolean} whether the key had a deadline. */
  cancel(key) {
    const index = this.#queue.findIndex((entry) => entry.key === key);
    if (index === -1) return false;
    this.#queue.splice(index, 1);
    return true;
  }

  /** Takes out the keys whose deadline is at `now` or before it, in order of their deadlines. */
  takeDue(now) {
    return this.#queue.splice(0, this.#position(now)).map((entry) => entry.key);
  }

  clear() {
    this.#queue = [];
  }

  /** Index of the first entry whose deadline is later than `at`. */
  #position(at) {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#queue[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
