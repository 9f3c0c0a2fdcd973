// The parts are whole cents, add up to the bill, and no one pays more than a cent above another.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.argv[1], path)).href);
const { split } = await load("src/split.js");
const { billLines } = await load("src/bill.js");

for (const [total, people] of [
  [1000, 3],
  [1000, 6],
  [999, 2],
  [5, 7],
  [0, 4],
]) {
  const parts = split(total, people);
  assert.equal(parts.length, people);
  assert.ok(parts.every(Number.isInteger), `whole cents of ${total} for ${people}`);
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    total,
  );
  assert.ok(Math.max(...parts) - Math.min(...parts) <= 1, `fair parts of ${total} for ${people}`);
}
assert.deepEqual(billLines(900, ["Ada", "Bo", "Cy"]), ["Ada pays 3.00", "Bo pays 3.00", "Cy pays 3.00"]);
