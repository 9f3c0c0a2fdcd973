/** The best scores, highest first. */
export function leaderboard(scores, places = 3) {
  const ranked = scores.sort().reverse();
  return ranked.slice(0, places);
}
