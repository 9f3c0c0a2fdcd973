import type { Readable } from "node:stream";

export interface Drain {
  /**
   * Waits for the end of the stream once the processes that wrote to it are gone. What they wrote is at most a pipe full,
   * so a stream that goes on belongs to a process that got away.
   * @returns false when the stream had to be cut, or broke.
   */
  finish(): Promise<boolean>;
}

/** How long the rest of a stream may take; generous, since the machine may be busy. */
const longestMs = 5000;
/** How long it may say nothing. */
const silenceMs = 1000;

/**
 * Hands over a stream chunk by chunk.
 * @param onError takes what `onChunk` throws; no more chunks are handed over then.
 */
export function drain(
  stream: Readable | null | undefined,
  onChunk: (chunk: Uint8Array) => void,
  onError: (error: unknown) => void,
): Drain {
  if (stream === null || stream === undefined) return { finish: () => Promise.resolve(true) };
  let bytes = 0;
  let broken = false;
  stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (broken) return;
    try {
      onChunk(chunk);
    } catch (error) {
      broken = true;
      onError(error);
    }
  });
  const closed = new Promise<boolean>((resolve) => {
    stream.once("end", () => resolve(!broken));
    stream.once("error", () => resolve(false));
    stream.once("close", () => resolve(false));
  });
  return {
    async finish() {
      const deadline = performance.now() + longestMs;
      for (let before = -1; before !== bytes && performance.now() < deadline;) {
        before = bytes;
        const whole = await within(silenceMs, closed);
        if (whole !== undefined) return whole;
      }
      stream.destroy();
      return false;
    },
  };
}

/** What a promise resolves to; undefined when it takes longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  const settled = await Promise.race([promise, late]);
  clearTimeout(timer);
  return settled;
}
