import { pageLabel, pageRange } from "./pages.js";

/** One page of the catalogue: its items and the label above them. */
export function cataloguePage(items, page, size = 10) {
  const range = pageRange(page, size, items.length);
  return {
    label: pageLabel(range, items.length),
    items: items.slice(range.first, range.last),
  };
}
