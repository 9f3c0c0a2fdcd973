/**
 * Gives the headings of one document their anchors, in order.
 *
 * @returns {(text: string) => string} takes the text of the next heading, without markup
 */
export function createSlugger() {
  const counts = new Map();
  return (text) => {
    const base = baseSlug(text);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}

/** The anchor, if the heading is the only one with it. */
export function baseSlug(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}
