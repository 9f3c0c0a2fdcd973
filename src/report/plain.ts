/** Control and format characters, among them those that drive a terminal or turn the direction of text; line ends; lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of a record, fit for any output: one line, what is unsafe written as in `\u{1b}`. */
export function plain(text: string): string {
  return text.replace(unsafe, visible);
}

/** A character as its number. */
export function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Cuts plain text to a number of terminal columns, with an ellipsis where something is left out. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${head(text, columns - 1)}…`;
}

/** Breaks plain text into lines of at most `columns`, at spaces where it can. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (let word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    while (columnsOf(word) > columns) {
      const part = head(word, columns);
      lines.push(part);
      word = word.slice(part.length);
    }
    line = word;
  }
  return line === "" ? lines : [...lines, line];
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The longest beginning that fits, without cutting a character in two; at least one character. */
function head(text: string, columns: number): string {
  let taken = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += columnsOf(segment);
    if (used > columns && taken !== "") break;
    taken += segment;
  }
  return taken;
}

/**
 * An upper bound of the columns that a terminal takes: no code point takes more than two. Terminals differ in the widths
 * of emoji and of rarer scripts, and a bound that is too large only cuts a name earlier.
 */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character < "\u0080" || character === "…" ? 1 : 2;
  return columns;
}
