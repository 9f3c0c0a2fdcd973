import { isUtf8 } from "node:buffer";
import { notUtf8, tooLong, type Splitter, type TextSink } from "./place.ts";

const newline = 0x0a;

/** Finds the lines of NDJSON; blank ones are left out. */
export function lineSplitter(sink: TextSink, maxBytes: number): Splitter {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let line = 0;

  function hand(text: string, whole: boolean): void {
    line++;
    if (!/^\s*$/.test(text)) sink.text(text, { line }, whole);
  }

  /** Decoding a whole block at once is several times faster than line by line. */
  function take(block: Buffer): void {
    if (!isUtf8(block)) {
      takeDamaged(block);
      return;
    }
    const text = block.toString("utf8");
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      hand(text.slice(start, end), true);
      start = end + 1;
    }
    if (start < text.length) hand(text.slice(start), false);
  }

  function takeDamaged(block: Buffer): void {
    for (let start = 0; start < block.length;) {
      const end = block.indexOf(newline, start);
      const stop = end === -1 ? block.length : end;
      const bytes = block.subarray(start, stop);
      if (isUtf8(bytes)) hand(bytes.toString("utf8"), end !== -1);
      else sink.damaged({ line: ++line, ...notUtf8 });
      start = stop + 1;
    }
  }

  return {
    push(chunk) {
      const end = chunk.lastIndexOf(newline) + 1;
      if (end > 0) {
        take(pending.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...pending, chunk.subarray(0, end)]));
        pending = [];
        pendingBytes = 0;
      }
      if (end < chunk.length) pending.push(chunk.subarray(end));
      pendingBytes += chunk.length - end;
      if (pendingBytes > maxBytes) throw tooLong(line + 1, maxBytes);
    },
    end() {
      if (pendingBytes > 0) take(Buffer.concat(pending));
    },
  };
}
