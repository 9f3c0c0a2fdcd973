import { splitFields } from "./fields.js";
import { LineSplitter } from "./lines.js";

const BYTE_ORDER_MARK = "\uFEFF";

/** Reads a whole text. */
export function parseCsv(text, { separator = "," } = {}) {
  const source = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const records = [];
  let start = 0;
  let line = 1;
  let startLine = 1;
  let state = "field-start";
  const finish = (end) => {
    const piece = source.slice(start, end).replace(/\r$/, "");
    if (piece !== "") records.push(record({ number: startLine, text: piece }, separator));
  };
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (character === "\n") line += 1;
    if (state === "quoted") {
      if (character === '"') state = "closed";
    } else if (character === "\n") {
      finish(index);
      start = index + 1;
      startLine = line;
      state = "field-start";
    } else if (character === separator) {
      state = "field-start";
    } else if (character === '"' && state !== "plain") {
      state = "quoted";
    } else {
      state = "plain";
    }
  }
  finish(source.length);
  return records;
}

/** Reads a text that comes in pieces of any size, one record at a time. */
export async function* readCsv(chunks, { separator = "," } = {}) {
  const splitter = new LineSplitter();
  let first = true;
  for await (const chunk of chunks) {
    const text = first ? chunk.replace(BYTE_ORDER_MARK, "") : chunk;
    first = false;
    for (const line of splitter.push(text)) {
      if (line.text !== "") yield record(line, separator);
    }
  }
  for (const line of splitter.end()) yield record(line, separator);
}

function record(line, separator) {
  return { line: line.number, fields: splitFields(line.text, { separator, lineNumber: line.number }) };
}
