/** The indexes of the items on a page; pages are counted from 1. */
export function pageRange(page, size, total) {
  const first = (page - 1) * size;
  return { first, last: Math.min(first + size, total) - 1 };
}

/** As in "11-20 of 35". */
export function pageLabel({ first, last }, total) {
  return `${first + 1}-${last + 1} of ${total}`;
}
