// Scores are ranked as numbers, and a look at the leaderboard leaves the game's history as it was.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.argv[1], path)).href);
const { leaderboard } = await load("src/leaderboard.js");
const { recentScores } = await load("src/history.js");
const { createGame } = await load("src/game.js");

const game = createGame();
const played = [85, 9, 1200, 300, 47];
played.forEach((score) => game.play(score));
assert.deepEqual(leaderboard(game.scores), [1200, 300, 85]);
assert.deepEqual(leaderboard(game.scores, 5), [1200, 300, 85, 47, 9]);
assert.deepEqual(game.scores, played);
assert.deepEqual(recentScores(game.scores), [47, 300, 1200]);
assert.deepEqual(leaderboard([]), []);
