import { ExpiryQueue } from "./expiry-queue.js";
import { RecencyList } from "./recency-list.js";

/**
 * A cache with a size limit and a time to live.
 *
 * @template K, V
 */
export class TtlCache {
  /** @type {Map<K, V>} */
  #values = new Map();
  #recency = new RecencyList();
  #expiry = new ExpiryQueue();
  #maxEntries;
  #ttlMs;
  #now;
  #onDrop;

  /**
   * @param {object} options
   * @param {number} options.maxEntries
   * @param {number} options.ttlMs
   * @param {() => number} [options.now] the clock, in milliseconds
   * @param {(key: K, value: V, reason: "expired" | "capacity") => void} [options.onDrop]
   *   called for an entry that the cache itself let go; not for `delete` and `clear`
   */
  constructor({ maxEntries, ttlMs, now = Date.now, onDrop = () => {} }) {
    if (!Number.isInteger(maxEntries) || maxEntries < 1) throw new RangeError("maxEntries must be a positive integer");
    if (!(ttlMs > 0)) throw new RangeError("ttlMs must be positive");
    this.#maxEntries = maxEntries;
    this.#ttlMs = ttlMs;
    this.#now = now;
    this.#onDrop = onDrop;
  }

  get size() {
    this.#dropExpired();
    return this.#values.size;
  }

  /** The value, or undefined. Counts as a use of the entry. */
  get(key) {
    this.#dropExpired();
    if (!this.#values.has(key)) return undefined;
    this.#recency.touch(key);
    return this.#values.get(key);
  }

  /** Like `get`, but no use of the entry. */
  peek(key) {
    this.#dropExpired();
    return this.#values.get(key);
  }

  has(key) {
    this.#dropExpired();
    return this.#values.has(key);
  }

  /** Adds or replaces an entry. Counts as a use of it. */
  set(key, value) {
    this.#dropExpired();
    if (!this.#values.has(key) && this.#values.size >= this.#maxEntries) {
      this.#drop(this.#recency.oldest, "capacity");
    }
    this.#values.set(key, value);
    this.#recency.touch(key);
    this.#expiry.schedule(key, this.#now() + this.#ttlMs);
    return this;
  }

  /** @returns {boolean} whether the entry was there. */
  delete(key) {
    this.#dropExpired();
    return this.#forget(key);
  }

  clear() {
    this.#values.clear();
    this.#recency.clear();
    this.#expiry.clear();
  }

  /** The most recently used first. */
  keys() {
    this.#dropExpired();
    return [...this.#recency];
  }

  #dropExpired() {
    for (const key of this.#expiry.takeDue(this.#now())) this.#drop(key, "expired");
  }

  #drop(key, reason) {
    const value = this.#values.get(key);
    if (this.#forget(key)) this.#onDrop(key, value, reason);
  }

  #forget(key) {
    this.#recency.remove(key);
    this.#expiry.cancel(key);
    return this.#values.delete(key);
  }
}
