import type { Problem } from "../problem.ts";
import { InputError } from "../problem.ts";

/** Where a JSON text begins. */
export interface Place {
  /** Counted from 1. */
  line: number;
  /** Index in the array, where the file is one JSON array. */
  index?: number;
}

export interface TextSink {
  /** @param whole false for a last line without a line end, which may have been cut. */
  text(text: string, place: Place, whole: boolean): void;
  /** Bytes that hold no text; `problem` is without `file`. */
  damaged(problem: Problem): void;
}

/** Takes the bytes of a file in any portions and hands its JSON texts on. */
export interface Splitter {
  push(chunk: Buffer): void;
  end(): void;
}

export const notUtf8 = { message: "is not UTF-8 text", fix: "the file is damaged or is not a record file" };

export function tooLong(line: number, maxBytes: number): InputError {
  const message = `a record is longer than ${Math.floor(maxBytes / 1e6)} MB`;
  return new InputError({ line, message, fix: "write one record a line" });
}

/** The `line` and `field` of a problem with the record at a place; `path` as in `elapsedMs`. */
export function fieldAt(place: Place, path = ""): Pick<Problem, "line" | "field"> {
  const element = place.index === undefined ? "" : `[${place.index}]`;
  const field = element !== "" && path !== "" ? `${element}.${path}` : `${element}${path}`;
  return { line: place.line, ...(field === "" ? {} : { field }) };
}
