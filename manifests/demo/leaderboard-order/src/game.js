/** A game keeps its scores in the order in which they were played. */
export function createGame() {
  const scores = [];
  return {
    scores,
    play(score) {
      scores.push(score);
    },
  };
}
