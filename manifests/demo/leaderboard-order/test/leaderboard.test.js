import assert from "node:assert/strict";
import { test } from "node:test";
import { leaderboard } from "../src/leaderboard.js";

test("the leaderboard holds the best scores", () => {
  assert.deepEqual(leaderboard([10, 30, 20, 40]), [40, 30, 20]);
});
