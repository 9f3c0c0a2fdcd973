import { plainText } from "./plain-text.js";
import { createSlugger } from "./slug.js";
import { textLines } from "./text-lines.js";

/**
 * @typedef {object} Heading
 * @property {number} level 1 to 6
 * @property {string} text without markup
 * @property {string} anchor no other heading of the document has it
 * @property {number} line counted from 1
 */

/**
 * The headings of a document that are written with number signs.
 *
 * @param {string} markdown
 * @returns {Heading[]}
 */
export function readHeadings(markdown) {
  const headings = [];
  const slug = createSlugger();
  for (const { number, text } of textLines(markdown)) {
    const match = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(text);
    if (match === null || match[2] === "") continue;
    const plain = plainText(match[2]).trim();
    headings.push({ level: match[1].length, text: plain, anchor: slug(plain), line: number });
  }
  return headings;
}
