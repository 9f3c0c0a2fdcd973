/**
 * Gives the headings of one document their anchors, in order.
 *
 * @returns {(text: string) => string} takes the text of the next heading, without markup
 */
export function createSlugger() {
  const used = new Set();
  return (text) => {
    const base = baseSlug(text);
    let anchor = base;
    for (let count = 1; used.has(anchor); count += 1) anchor = `${base}-${count}`;
    used.add(anchor);
    return anchor;
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
