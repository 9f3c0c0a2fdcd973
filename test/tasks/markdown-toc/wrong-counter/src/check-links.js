import { readHeadings } from "./headings.js";
import { textLines } from "./text-lines.js";

/**
 * The links within a document that lead to no heading.
 *
 * @param {string} markdown
 * @returns {{ line: number, target: string }[]} in order; lines are counted from 1
 */
export function checkLinks(markdown) {
  const targets = new Set(readHeadings(markdown).map(({ anchor }) => anchor));
  return textLines(markdown).flatMap(({ number, text }) =>
    [...text.replace(/`+[^`]+`+/g, "").matchAll(/\]\(#([^)\s]*)\)/g)]
      .map(([, target]) => ({ line: number, target: decode(target) }))
      .filter(({ target }) => !targets.has(target)),
  );
}

function decode(target) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
