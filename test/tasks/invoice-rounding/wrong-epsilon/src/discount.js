/**
 * Cuts a discount into a share for each line, in proportion to its amount. The shares add up to the discount.
 *
 * @param {number[]} amounts of the lines, in cents
 * @param {number} discount in cents
 * @returns {number[]} in cents
 */
export function discountShares(amounts, discount) {
  const subtotal = amounts.reduce((total, amount) => total + amount, 0);
  if (subtotal === 0) return amounts.map(() => 0);
  const shares = amounts.map((amount, index) => {
    const exact = (discount * amount) / subtotal;
    return { index, cents: Math.trunc(exact), lost: Math.abs(exact - Math.trunc(exact)) };
  });
  let left = Math.abs(discount - shares.reduce((total, share) => total + share.cents, 0));
  for (const share of [...shares].sort((a, b) => b.lost - a.lost || a.index - b.index)) {
    if (left <= 0) break;
    share.cents += Math.sign(discount);
    left -= 1;
  }
  return shares.map(({ cents }) => cents || 0);
}
