import { CsvError } from "./csv-error.js";

/**
 * Cuts one record into its fields. A field in double quotes may contain the separator, line ends, and `""` for a quote.
 *
 * @param {string} text
 * @param {{ separator: string, lineNumber: number }} options `lineNumber`: where the record starts
 * @returns {string[]}
 * @throws {CsvError} when a quoted field does not end, or goes on after its closing quote
 */
export function splitFields(text, { separator, lineNumber }) {
  const fields = [];
  let position = 0;
  let fieldLine = lineNumber;
  for (;;) {
    if (text[position] === '"') {
      const { value, end } = quotedField(text, position, fieldLine);
      if (end < text.length && text[end] !== separator) {
        throw new CsvError("a quoted field goes on after its closing quote", fieldLine);
      }
      fields.push(value);
      fieldLine += value.split("\n").length - 1;
      position = end;
    } else {
      const next = text.indexOf(separator, position);
      const end = next === -1 ? text.length : next;
      fields.push(text.slice(position, end));
      position = end;
    }
    if (position >= text.length) return fields;
    position += 1;
  }
}

function quotedField(text, start, lineNumber) {
  let value = "";
  let position = start + 1;
  for (;;) {
    const quote = text.indexOf('"', position);
    if (quote === -1) throw new CsvError("a quoted field does not end", lineNumber);
    value += text.slice(position, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    position = quote + 2;
  }
}
