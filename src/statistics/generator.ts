/** Draws numbers uniform on [0, 1). */
export type Generator = () => number;

/**
 * A reproducible generator: xoshiro128** (Blackman and Vigna 2021) started by splitmix32. Not for secrets.
 * @param seed whole, the low 32 bits count
 */
export function seededGenerator(seed: number): Generator {
  let mixed = seed >>> 0;
  const mix = (): number => {
    mixed = (mixed + 0x9e3779b9) >>> 0;
    let word = mixed;
    word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return (word ^ (word >>> 15)) >>> 0;
  };
  let [a, b, c, d] = [mix(), mix(), mix(), mix()];
  const next = (): number => {
    const word = rotate(Math.imul(b, 5), 7);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return Math.imul(word, 9) >>> 0;
  };
  // 53 bits, as many as a double holds between 1/2 and 1.
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** A new array with the elements in random order (Fisher and Yates). */
export function shuffled<T>(elements: readonly T[], random: Generator): T[] {
  const result = [...elements];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other]!, result[last]!];
  }
  return result;
}
