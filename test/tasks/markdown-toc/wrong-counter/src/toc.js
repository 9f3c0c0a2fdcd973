import { readHeadings } from "./headings.js";

/**
 * The table of contents of a document, as a Markdown list.
 *
 * @param {string} markdown
 * @param {{ minLevel?: number, maxLevel?: number }} [options] levels of headings to show; 2 to 3 by default
 * @returns {string} without a line end; empty where there is nothing to show
 */
export function toc(markdown, { minLevel = 2, maxLevel = 3 } = {}) {
  const shown = readHeadings(markdown).filter(({ level }) => level >= minLevel && level <= maxLevel);
  const top = Math.min(...shown.map(({ level }) => level));
  return shown
    .map(({ level, text, anchor }) => `${"  ".repeat(level - top)}- [${text.replace(/[[\]]/g, "\\$&")}](#${anchor})`)
    .join("\n");
}
