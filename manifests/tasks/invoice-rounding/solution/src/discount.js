/**
 * Cuts a discount into a share for each line, in proportion to its amount. The shares add up to the discount: the cents that
 * rounding leaves over go to the lines that lost the largest fractions.
 *
 * @param {number[]} amounts of the lines, in cents, none of them of another sign than the rest
 * @param {number} discount in cents
 * @returns {number[]} in cents
 */
export function discountShares(amounts, discount) {
  const magnitudes = amounts.map((amount) => BigInt(Math.abs(amount)));
  const subtotal = magnitudes.reduce((total, amount) => total + amount, 0n);
  if (subtotal === 0n) return amounts.map(() => 0);

  const whole = BigInt(Math.abs(discount));
  const shares = magnitudes.map((amount, index) => {
    const exact = whole * amount;
    return { index, cents: Number(exact / subtotal), lost: exact % subtotal };
  });
  const left = Math.abs(discount) - shares.reduce((total, share) => total + share.cents, 0);
  const neediest = [...shares].sort((a, b) => (a.lost === b.lost ? a.index - b.index : a.lost > b.lost ? -1 : 1));
  for (const share of neediest.slice(0, left)) share.cents += 1;
  return shares.map(({ cents }) => (discount < 0 && cents > 0 ? -cents : cents));
}
