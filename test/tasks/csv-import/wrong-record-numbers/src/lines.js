/**
 * @typedef {object} RecordText
 * @property {number} line where the record starts, counted from 1
 * @property {string} text without its line end
 */

/** Cuts a text into records, which end in LF or CRLF outside quoted fields. */
export class RecordSplitter {
  #separator;
  /** @type {"field-start" | "plain" | "quoted" | "quote-in-quoted"} */
  #state = "field-start";
  #text = "";
  #startLine = 1;
  #line = 1;

  /** @param {string} separator one character */
  constructor(separator) {
    this.#separator = separator;
  }

  /**
   * @param {string} chunk the next piece of the text
   * @returns {RecordText[]} the records that it completes
   */
  push(chunk) {
    const records = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const character = chunk[index];
      if (character === "\n" && this.#state !== "quoted") {
        this.#text += chunk.slice(start, index);
        start = index + 1;
        records.push(this.#take());
      } else {
        this.#state = this.#next(character);
      }
    }
    this.#text += chunk.slice(start);
    return records;
  }

  /** @returns {RecordText[]} what was left after the last line end. */
  end() {
    return this.#text === "" ? [] : [this.#take()];
  }

  #next(character) {
    if (this.#state === "quoted") return character === '"' ? "quote-in-quoted" : "quoted";
    if (character === this.#separator) return "field-start";
    if (character === '"' && this.#state !== "plain") return "quoted";
    return "plain";
  }

  #take() {
    const text = this.#text.endsWith("\r") ? this.#text.slice(0, -1) : this.#text;
    this.#line += 1;
    const record = { line: this.#startLine, text };
    this.#text = "";
    this.#startLine = this.#line;
    this.#state = "field-start";
    return record;
  }
}
