import { backoff } from "./backoff.js";
import { sleep } from "./sleep.js";
import { withTimeout } from "./with-timeout.js";

/**
 * @typedef {object} RetryOptions
 * @property {number} [attempts] at most this many in all; 4 by default
 * @property {number} [attemptTimeoutMs] for one attempt; no limit by default
 * @property {number} [baseMs] of the waiting time; 100 by default
 * @property {number} [maxMs] of the waiting time; 10,000 by default
 * @property {AbortSignal} [signal] to give up
 * @property {(error: unknown) => boolean} [shouldRetry] true by default
 * @property {(event: { attempt: number, delayMs: number, error: unknown }) => void} [onRetry] before each wait
 * @property {() => number} [random]
 */

/**
 * Calls an operation until it succeeds.
 *
 * @template T
 * @param {(context: { attempt: number, signal: AbortSignal }) => Promise<T>} operation
 * @param {RetryOptions} [options]
 * @returns {Promise<T>} rejects with the error of the last attempt, or with the reason of an aborted signal
 */
export async function retry(operation, options = {}) {
  const {
    attempts = 4,
    attemptTimeoutMs = Infinity,
    baseMs = 100,
    maxMs = 10_000,
    signal,
    shouldRetry = () => true,
    onRetry = () => {},
    random = Math.random,
  } = options;

  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTimeout((own) => operation({ attempt, signal: own }), attemptTimeoutMs, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= attempts || !shouldRetry(error)) throw error;
      const delayMs = error?.retryAfterMs ?? backoff(attempt, { baseMs, maxMs, random });
      onRetry({ attempt, delayMs, error });
      await sleep(delayMs, signal);
    }
  }
}
