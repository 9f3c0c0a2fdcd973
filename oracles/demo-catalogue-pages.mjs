// Every item is on exactly one page, and the label tells which ones these are.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const module = pathToFileURL(join(process.argv[1], "src/catalogue.js"));
const { cataloguePage } = await import(module.href);

const items = Array.from({ length: 35 }, (_, index) => `item ${index + 1}`);
const pages = [1, 2, 3, 4].map((page) => cataloguePage(items, page));
assert.deepEqual(
  pages.flatMap((page) => page.items),
  items,
);
assert.deepEqual(
  pages.map((page) => page.label),
  ["1-10 of 35", "11-20 of 35", "21-30 of 35", "31-35 of 35"],
);
assert.deepEqual(cataloguePage(items, 3, 15).items, items.slice(30));
assert.deepEqual(cataloguePage(["only"], 1), { label: "1-1 of 1", items: ["only"] });
