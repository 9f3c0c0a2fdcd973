import assert from "node:assert/strict";
import { test } from "node:test";
import { cataloguePage } from "../src/catalogue.js";

test("a page starts after the end of the one before", () => {
  const items = Array.from({ length: 35 }, (_, index) => index);
  assert.equal(cataloguePage(items, 1).items[0], 0);
  assert.equal(cataloguePage(items, 2).items[0], 10);
});
