import assert from "node:assert/strict";
import { test } from "node:test";
import { billLines } from "../src/bill.js";

test("an even bill is split evenly", () => {
  assert.deepEqual(billLines(1000, ["Ada", "Bo"]), ["Ada pays 5.00", "Bo pays 5.00"]);
});
