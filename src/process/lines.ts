import { isUtf8 } from "node:buffer";

export interface LineReader {
  /** Takes bytes as they come. */
  push(chunk: Uint8Array): void;
  /** The stream is over: hands over a last line without line end. */
  end(): void;
}

export interface LineSink {
  /** Longest line handed over, in UTF-16 code units; default 1,000,000. */
  maxCharacters?: number;
  /** One line, without its line end. */
  line(text: string): void;
  /** A line that is longer, or not UTF-8; once a line. */
  damaged(): void;
}

const newline = 0x0a;
/** Bytes of whole lines decoded in one go: several times faster than line by line; more would weigh on the old heap. */
const mostAtOnce = 16_384;
const byteOrderMark = "\ufeff";
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
const bytesPerCharacter = 3;

/**
 * Splits a byte stream into lines at `\n` (or `\r\n`) in memory bounded by the longest line allowed. A byte order mark at
 * the start of the stream is no part of the first line.
 */
export function lineReader(sink: LineSink): LineReader {
  const maxCharacters = sink.maxCharacters ?? 1_000_000;
  // A byte order mark and a carriage return come on top.
  const held = boundedBytes(maxCharacters * bytesPerCharacter + 4);
  let first = true;

  const emit = (text: string): void => {
    const unmarked = first && text.startsWith(byteOrderMark) ? text.slice(1) : text;
    first = false;
    const line = unmarked.endsWith("\r") ? unmarked.slice(0, -1) : unmarked;
    if (line.length > maxCharacters) sink.damaged();
    else sink.line(line);
  };

  /** Any number of whole lines, the last one without its line end. */
  const emitBytes = (bytes: Buffer): void => {
    const readable = isUtf8(bytes);
    if (readable && bytes.length <= mostAtOnce) return bytes.toString("utf8").split("\n").forEach(emit);
    const middle = bytes.length >> 1;
    const before = bytes.lastIndexOf(newline, middle);
    const end = before >= 0 ? before : bytes.indexOf(newline, middle);
    if (end >= 0) {
      emitBytes(bytes.subarray(0, end));
      emitBytes(bytes.subarray(end + 1));
    } else if (readable) {
      emit(bytes.toString("utf8"));
    } else {
      first = false;
      sink.damaged();
    }
  };

  const emitHeld = (): void => {
    const bytes = held.take();
    if (bytes !== null) return emitBytes(bytes);
    first = false;
    sink.damaged();
  };

  return {
    push(chunk) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      if (!held.empty()) {
        const end = buffer.indexOf(newline);
        held.add(end < 0 ? buffer : buffer.subarray(0, end));
        if (end < 0) return;
        emitHeld();
        start = end + 1;
      }
      const last = buffer.lastIndexOf(newline);
      if (last >= start) {
        emitBytes(buffer.subarray(start, last));
        start = last + 1;
      }
      held.add(buffer.subarray(start));
    },
    end() {
      if (!held.empty()) emitHeld();
    },
  };
}

interface BoundedBytes {
  /** Copies them, since the owner of a chunk may use its memory again. */
  add(bytes: Uint8Array): void;
  empty(): boolean;
  /** What was added since the last call, or null when that was too much; valid until the next `add`. */
  take(): Buffer | null;
}

/** One piece of memory that grows: a list of chunks would weigh a hundred times as much where they are a byte each. */
function boundedBytes(maxBytes: number): BoundedBytes {
  let memory = Buffer.alloc(4096);
  let length = 0;
  return {
    add(bytes) {
      const before = length;
      length += bytes.length;
      if (length > maxBytes) return;
      if (length > memory.length) {
        const larger = Buffer.alloc(Math.min(Math.max(length, memory.length * 2), maxBytes));
        memory.copy(larger, 0, 0, before);
        memory = larger;
      }
      memory.set(bytes, before);
    },
    empty: () => length === 0,
    take() {
      const whole = length <= maxBytes;
      const bytes = memory.subarray(0, whole ? length : 0);
      length = 0;
      return whole ? bytes : null;
    },
  };
}
