import { TimeoutError } from "./errors.js";

/**
 * Runs an operation for at most `limitMs`. The signal that the operation gets aborts when its time is over or when the
 * caller's signal aborts; then the promise rejects without waiting for the operation. Leaves no timer and no listener behind.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} operation
 * @param {number} limitMs `Infinity` for no limit
 * @param {AbortSignal} [signal] the caller's
 * @returns {Promise<T>}
 */
export async function withTimeout(operation, limitMs, signal) {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timer;
  let onAbort;
  const ended = new Promise((_resolve, reject) => {
    const end = (reason) => {
      controller.abort(reason);
      reject(reason);
    };
    onAbort = () => end(signal.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (limitMs !== Infinity) timer = setTimeout(() => end(new TimeoutError(limitMs)), limitMs);
  });
  try {
    const running = (async () => operation(controller.signal))();
    return await Promise.race([ended, running]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
