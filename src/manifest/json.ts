import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { InputError, type Problem } from "../problem.ts";

/** A JSON text, its value, and where in the text each part of it stands. */
export interface JsonDocument {
  value: unknown;
  /** Line and column, counted from 1, of the part at a path; of the nearest part above it when there is none. */
  positionOf(path: readonly (string | number)[]): { line: number; column: number };
}

/**
 * Parses strict JSON: no comments, no trailing commas, no duplicate keys.
 * @throws InputError naming every syntax error, or every duplicate key, with line and column.
 */
export function parseJson(text: string, file: string): JsonDocument {
  const errors: ParseError[] = [];
  const root = nested(file, () => parseTree(text, errors, { disallowComments: true, allowTrailingComma: false }));
  const at = positions(text);
  if (root === undefined || errors.length > 0) throw new InputError(syntaxProblems(errors, at, file));
  const duplicates = duplicateKeys(root).map(({ path, offset }) => ({
    ...{ file, ...at(offset), field: path, message: "the key stands twice in one object" },
    fix: "leave one of the two",
  }));
  if (duplicates.length > 0) throw new InputError(duplicates);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError({ file, message: "not valid JSON" });
  }
  return {
    value,
    positionOf(path) {
      for (let length = path.length; length > 0; length--) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        if (node !== undefined) return at(node.offset);
      }
      return at(root.offset);
    },
  };
}

function nested<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw new InputError({ file, message: "the JSON is nested too deeply" });
    throw error;
  }
}

function syntaxProblems(errors: ParseError[], at: ReturnType<typeof positions>, file: string): Problem[] {
  // What follows the first error on a line is mostly its consequence.
  const lines = new Map<number, Problem>();
  for (const { error, offset } of errors) {
    const position = at(offset);
    const words = printParseErrorCode(error)
      .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
      .toLowerCase();
    if (!lines.has(position.line)) lines.set(position.line, { file, ...position, message: `not valid JSON: ${words}` });
  }
  return lines.size > 0 ? [...lines.values()].slice(0, 20) : [{ file, message: "the file holds no JSON value" }];
}

function positions(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function duplicateKeys(root: Node): { path: string; offset: number }[] {
  const found: { path: string; offset: number }[] = [];
  const open: { node: Node; path: string }[] = [{ node: root, path: "" }];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { node, path } = top;
    const keys = new Set<string>();
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === "array") {
        open.push({ node: child, path: `${path}[${index}]` });
        continue;
      }
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      const field = path === "" ? name : `${path}.${name}`;
      if (keys.has(name)) found.push({ path: field, offset: child.offset });
      keys.add(name);
      if (value !== undefined) open.push({ node: value, path: field });
    }
  }
  return found.sort((one, other) => one.offset - other.offset);
}
