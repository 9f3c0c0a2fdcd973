import { elementSplitter } from "./elements.ts";
import { lineSplitter } from "./lines.ts";
import type { Splitter, TextSink } from "./place.ts";

// The package `ndjson` would split lines too, but hands over values without their line numbers, words its errors with
// the text that it found, and ends written lines as the operating system does.

/** V8 cannot hold a string much longer than twice this. */
const maxTextBytes = 256 * 1024 * 1024;

/**
 * Splits a record file into the JSON texts of its records: the lines of NDJSON without the blank ones, or the elements of one array.
 * Holds one chunk and one text at a time.
 * @throws InputError for a text over `maxBytes`.
 */
export async function splitTexts(
  source: AsyncIterable<Buffer | string>,
  sink: TextSink,
  maxBytes = maxTextBytes,
): Promise<void> {
  let splitter: Splitter | null = null;
  let head = Buffer.alloc(0);
  for await (const piece of source) {
    const chunk = typeof piece === "string" ? Buffer.from(piece) : piece;
    if (splitter !== null) {
      splitter.push(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const first = firstOf(head);
    if (first === null) continue;
    splitter = first.byte === openBracket ? elementSplitter(sink, maxBytes) : lineSplitter(sink, maxBytes);
    splitter.push(head.subarray(first.skip));
  }
  splitter?.end();
}

const newline = 0x0a;
const openBracket = 0x5b;
const byteOrderMark = Buffer.from("\uFEFF");

/** The first byte that is not white space, and how many bytes of a byte order mark come before the text; null while unknown. */
function firstOf(head: Buffer): { byte: number; skip: number } | null {
  if (head.length < byteOrderMark.length && head.equals(byteOrderMark.subarray(0, head.length))) return null;
  const skip = head.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  for (let at = skip; at < head.length; at++) {
    const byte = head[at] ?? 0;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== newline) return { byte, skip };
  }
  return null;
}
