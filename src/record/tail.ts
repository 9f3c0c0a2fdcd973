import { open, type FileHandle } from "node:fs/promises";

const portion = 1 << 16;

/**
 * Cuts what a crash left behind the last whole line of a record file: a line without its end, or blocks of NUL that a file
 * system left where data had not arrived.
 * @returns how many bytes were cut.
 */
export async function cutTornTail(path: string): Promise<number> {
  const handle = await open(path, "r+");
  try {
    const { size } = await handle.stat();
    const kept = await wholeLength(handle, size);
    if (kept < size) {
      await handle.truncate(kept);
      await handle.datasync();
    }
    return size - kept;
  } finally {
    await handle.close();
  }
}

/** Length up to and with the last line end before which no NUL stands on its line. */
async function wholeLength(handle: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(portion);
  let end = size;
  let kept = size;
  // From the end backwards: a whole line is found at the first line end, unless NULs stand before it.
  for (let seen = 0, lineEnd = -1; end > 0;) {
    const start = Math.max(0, end - portion);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    for (let index = bytesRead - 1; index >= 0; index--) {
      const position = start + index;
      if (buffer[index] === 0x0a) {
        if (lineEnd >= 0 && seen === 0) return lineEnd + 1;
        lineEnd = position;
        seen = 0;
      } else if (buffer[index] === 0) {
        seen++;
      }
    }
    end = start;
    if (end === 0) kept = lineEnd >= 0 && seen === 0 ? lineEnd + 1 : 0;
  }
  return kept;
}
