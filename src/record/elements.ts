import { fieldAt, notUtf8, tooLong, type Splitter, type TextSink } from "./place.ts";

/** Finds the elements of an array by its brackets and strings alone; whether each is JSON is for the parser to say. */
export function elementSplitter(sink: TextSink, maxBytes: number): Splitter {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let line = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let closed = false;
  let broken = false;
  let index = 0;
  let element = "";
  let elementLine: number | null = null;

  function hand(last: boolean): void {
    const place = { line: elementLine ?? line, index };
    if (elementLine !== null) sink.text(element, place, true);
    else if (!(last && index === 0)) sink.damaged({ ...fieldAt(place), message: "is empty", fix: "remove the comma" });
    index++;
    element = "";
    elementLine = null;
  }

  function scan(text: string): void {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text[at] ?? "";
      if (unit === "\n") line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (unit === "\\") escaped = true;
        else if (unit === '"') inString = false;
        continue;
      }
      if (unit === " " || unit === "\n" || unit === "\r" || unit === "\t") continue;
      if (closed) {
        sink.damaged({ line, message: "there is text after the end of the array", fix: "remove it" });
        broken = true;
        return;
      }
      const boundary = depth === 1 && (unit === "," || unit === "]");
      if (depth === 0 || boundary) {
        if (boundary) {
          element += text.slice(start, at);
          hand(unit === "]");
        }
        start = at + 1;
        if (unit === "[") depth = 1;
        else closed = unit === "]";
        continue;
      }
      if (elementLine === null) {
        elementLine = line;
        element = "";
        start = at;
      }
      if (unit === '"') inString = true;
      else if (unit === "{" || unit === "[") depth++;
      else if (unit === "}" || unit === "]") depth = Math.max(1, depth - 1);
    }
    if (!closed) element += text.slice(start);
    if (element.length > maxBytes) throw tooLong(line, maxBytes);
  }

  return {
    push(chunk) {
      if (broken) return;
      let text: string;
      try {
        text = decoder.decode(chunk, { stream: true });
      } catch {
        broken = true;
        sink.damaged({ line, ...notUtf8 });
        return;
      }
      scan(text);
    },
    end() {
      if (broken) return;
      try {
        decoder.decode();
      } catch {
        sink.damaged({ line, ...notUtf8 });
      }
      if (!closed) {
        sink.damaged({ line, message: "the array does not end", fix: "the file was cut; write it again" });
      }
    },
  };
}
