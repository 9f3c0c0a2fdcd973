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
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
const bytesPerCharacter = 3;

/** Splits a byte stream into lines at `\n` (or `\r\n`) in memory bounded by the longest line allowed. */
export function lineReader(sink: LineSink): LineReader {
  const maxCharacters = sink.maxCharacters ?? 1_000_000;
  const maxBytes = maxCharacters * bytesPerCharacter + 1;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let tooLong = false;
  let first = true;

  const hold = (part: Uint8Array): void => {
    if (part.length === 0 || tooLong) return;
    pendingBytes += part.length;
    if (pendingBytes > maxBytes) {
      tooLong = true;
      pending = [];
      return;
    }
    // A copy, since the owner of the chunk may use its memory again.
    pending.push(Buffer.from(part));
  };

  const emit = (text: string): void => {
    const withoutMark = first && text.startsWith("\ufeff") ? text.slice(1) : text;
    first = false;
    const line = withoutMark.endsWith("\r") ? withoutMark.slice(0, -1) : withoutMark;
    if (line.length > maxCharacters) sink.damaged();
    else sink.line(line);
  };

  const emitBytes = (bytes: Buffer): void => {
    if (isUtf8(bytes)) return emit(bytes.toString("utf8"));
    first = false;
    sink.damaged();
  };

  const emitPending = (): void => {
    const bytes = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending);
    const wasTooLong = tooLong;
    pending = [];
    pendingBytes = 0;
    tooLong = false;
    if (wasTooLong) sink.damaged();
    else emitBytes(bytes);
  };

  return {
    push(chunk) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      if (pendingBytes > 0 || tooLong) {
        const end = buffer.indexOf(newline);
        if (end < 0) return hold(buffer);
        hold(buffer.subarray(0, end));
        emitPending();
        start = end + 1;
      }
      const last = buffer.lastIndexOf(newline);
      if (last >= start) {
        const whole = buffer.subarray(start, last);
        // One decoding for all lines of a chunk is several times faster than one a line.
        if (isUtf8(whole)) for (const line of whole.toString("utf8").split("\n")) emit(line);
        else for (const line of splitBytes(whole)) emitBytes(line);
        start = last + 1;
      }
      hold(buffer.subarray(start));
    },
    end() {
      if (pendingBytes > 0 || tooLong) emitPending();
    },
  };
}

function* splitBytes(bytes: Buffer): Generator<Buffer, void> {
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
  yield bytes.subarray(start);
}
