/** The last scores, latest first. */
export function recentScores(scores, count = 3) {
  return scores.slice(-count).reverse();
}
