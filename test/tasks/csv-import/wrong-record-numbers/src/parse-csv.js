import { splitFields } from "./fields.js";
import { RecordSplitter } from "./lines.js";

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * @typedef {object} CsvRecord
 * @property {number} line where the record starts, counted from 1
 * @property {string[]} fields
 */

/**
 * Reads a whole text.
 *
 * @param {string} text
 * @param {{ separator?: string }} [options]
 * @returns {CsvRecord[]} without empty lines
 */
export function parseCsv(text, { separator = "," } = {}) {
  const splitter = new RecordSplitter(separator);
  return [...splitter.push(withoutMark(text)), ...splitter.end()]
    .filter(notEmpty)
    .map((item) => record(item, separator));
}

/**
 * Reads a text that comes in pieces of any size, one record at a time.
 *
 * @param {AsyncIterable<string> | Iterable<string>} chunks
 * @param {{ separator?: string }} [options]
 * @returns {AsyncGenerator<CsvRecord>} without empty lines
 */
export async function* readCsv(chunks, { separator = "," } = {}) {
  const splitter = new RecordSplitter(separator);
  let atStart = true;
  for await (const chunk of chunks) {
    if (chunk === "") continue;
    const items = splitter.push(atStart ? withoutMark(chunk) : chunk);
    atStart = false;
    for (const item of items.filter(notEmpty)) yield record(item, separator);
  }
  for (const item of splitter.end().filter(notEmpty)) yield record(item, separator);
}

function withoutMark(text) {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function notEmpty(item) {
  return item.text !== "";
}

function record({ line, text }, separator) {
  return { line, fields: splitFields(text, { separator, lineNumber: line }) };
}
