/** What each of the people pays, in cents. */
export function split(totalCents, people) {
  return Array.from({ length: people }, () => Math.round(totalCents / people));
}
