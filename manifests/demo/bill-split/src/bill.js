import { split } from "./split.js";

/** One line a person, as in "Ada pays 3.34". */
export function billLines(totalCents, names) {
  const parts = split(totalCents, names.length);
  return names.map((name, index) => `${name} pays ${(parts[index] / 100).toFixed(2)}`);
}
