/**
 * Cuts a discount into a share for each line, in proportion to its amount. The shares add up to the discount: the
 * last line takes the cents that rounding leaves over.
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
  const shares = magnitudes.map((amount) => ({ cents: Number((whole * amount) / subtotal) }));
  const left = Math.abs(discount) - shares.reduce((total, share) => total + share.cents, 0);
  shares[shares.length - 1].cents += left;
  return shares.map(({ cents }) => (discount < 0 && cents > 0 ? -cents : cents));
}
