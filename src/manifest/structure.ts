import type { JSONVisitor } from "jsonc-parser";
import type { Finding, JsonPath } from "./finding.ts";

const deepest = 100;
const mostEntries = 10_000;

/** Called at a part of the text: its line and column counted from 0, and the path to what it stands in or is. */
type Place = [line: number, character: number, path: () => JsonPath];

/**
 * Watches a parse for what JSON allows and a manifest does not: a key that stands twice in one object, the key
 * `__proto__`, strings that are not well-formed Unicode, numbers that no double holds.
 * @param excess takes a finding after which reading on is of no use: a text that is out of all proportion.
 */
export function structureVisitor(found: (finding: Finding) => void, excess: (finding: Finding) => never): JSONVisitor {
  const open: { keys: Set<string>; entries: number }[] = [];
  const enterValue = (...[line, character, path]: Place): void => {
    const parent = open.at(-1);
    if (parent === undefined || ++parent.entries <= mostEntries) return;
    const message = `over ${mostEntries} entries in one list or object`;
    excess({ path: path().slice(0, -1), message, at: positionAt(line, character) });
  };
  const enter = (...[line, character, path]: Place): void => {
    enterValue(line, character, path);
    open.push({ keys: new Set(), entries: 0 });
    if (open.length <= deepest) return;
    excess({
      path: path().slice(0, 6),
      message: `nested over ${deepest} levels deep`,
      at: positionAt(line, character),
    });
  };
  return {
    onObjectBegin: (_offset, _length, ...place) => enter(...place),
    onArrayBegin: (_offset, _length, ...place) => enter(...place),
    onObjectEnd: () => void open.pop(),
    onArrayEnd: () => void open.pop(),
    onObjectProperty(name, _offset, _length, line, character, path) {
      const keys = open.at(-1)?.keys ?? new Set();
      const wrong = keys.has(name) ? twice : wrongKey(name);
      keys.add(name);
      if (wrong !== null) found({ path: [...path(), name], ...wrong, at: positionAt(line, character) });
    },
    onLiteralValue(literal: unknown, _offset, _length, line, character, path) {
      enterValue(line, character, path);
      const wrong = wrongLiteral(literal);
      if (wrong !== null) found({ path: path(), ...wrong, at: positionAt(line, character) });
    },
  };
}

type Wrong = Pick<Finding, "message" | "fix">;

const twice: Wrong = { message: "the key stands twice in one object", fix: "leave one of them" };

function wrongKey(name: string): Wrong | null {
  // As a key of a plain object it would reach the object's prototype.
  return name === "__proto__" ? { message: "the key __proto__ is not allowed", fix: "remove it" } : wrongLiteral(name);
}

function wrongLiteral(literal: unknown): Wrong | null {
  if (typeof literal === "string" && /\p{Surrogate}/u.test(literal)) {
    return { message: "holds half of a surrogate pair, which UTF-8 cannot carry" };
  }
  return literal === Infinity || literal === -Infinity ? { message: "the number is too large" } : null;
}

function positionAt(line: number, character: number) {
  return { line: line + 1, column: character + 1 };
}
