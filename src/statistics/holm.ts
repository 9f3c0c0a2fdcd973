/**
 * Holm's step-down adjustment (Holm 1979): judged against alpha, the adjusted p-values hold the chance of any false rejection at
 * alpha whatever the dependence between the tests.
 * @param pValues in any order; a null (nothing to test) stays null and does not count as a test
 * @returns in the same order, at most 1
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const order = pValues
    .map((pValue, index) => ({ pValue, index }))
    .filter((entry): entry is { pValue: number; index: number } => entry.pValue !== null)
    .sort((left, right) => left.pValue - right.pValue);
  const adjusted = new Array<number | null>(pValues.length).fill(null);
  let largest = 0;
  order.forEach(({ pValue, index }, place) => {
    largest = Math.max(largest, Math.min(1, pValue * (order.length - place)));
    adjusted[index] = largest;
  });
  return adjusted;
}
