/**
 * The lines of a Markdown document that are no code.
 *
 * @param {string} markdown
 * @returns {{ number: number, text: string }[]} numbers are counted from 1
 */
export function textLines(markdown) {
  const lines = [];
  let fence = null;
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    if (fence === null) {
      fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[1] ?? null;
      if (fence === null) lines.push({ number: index + 1, text });
    } else if (closes(text, fence)) {
      fence = null;
    }
  }
  return lines;
}

function closes(text, fence) {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(text)?.[1];
  return end !== undefined && end[0] === fence[0] && end.length >= fence.length;
}
