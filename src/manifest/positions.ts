import { visit } from "jsonc-parser";
import type { JsonPath, Position } from "./finding.ts";

interface Wanted {
  children: Map<string | number, Wanted>;
  position?: Position;
}

/** An object or a list that is open; `wanted` is undefined where no path leads into it. */
interface Frame {
  wanted: Wanted | undefined;
  /** Of the next element of a list; null in an object. */
  index: number | null;
  /** What is wanted of the value that follows the last key of an object. */
  next: Wanted | undefined;
}

/**
 * Where each path stands in a text that is valid JSON: its key in an object, its element in a list, and the nearest part
 * above for a path that leads to nothing. One pass over the text, without a tree of it.
 */
export function positionsOf(text: string, paths: readonly JsonPath[]): Position[] {
  const root: Wanted = { children: new Map() };
  for (const path of paths) want(root, path);
  locate(text, root);
  return paths.map((path) => nearest(root, path));
}

function want(root: Wanted, path: JsonPath): void {
  let wanted = root;
  for (const key of path) {
    let child = wanted.children.get(key);
    if (child === undefined) wanted.children.set(key, (child = { children: new Map() }));
    wanted = child;
  }
}

function locate(text: string, root: Wanted): void {
  const frames: Frame[] = [{ wanted: undefined, index: null, next: root }];
  const value = (line: number, character: number): Wanted | undefined => {
    const frame = frames.at(-1);
    if (frame?.index == null) {
      if (frame?.next === root) mark(root, line, character);
      return frame?.next;
    }
    const element = frame.wanted?.children.get(frame.index++);
    mark(element, line, character);
    return element;
  };
  const open = (index: number | null, line: number, character: number): void => {
    frames.push({ wanted: value(line, character), index, next: undefined });
  };
  visit(text, {
    onObjectBegin: (_offset, _length, line, character) => open(null, line, character),
    onArrayBegin: (_offset, _length, line, character) => open(0, line, character),
    onObjectEnd: () => void frames.pop(),
    onArrayEnd: () => void frames.pop(),
    onLiteralValue: (_value, _offset, _length, line, character) => void value(line, character),
    onObjectProperty(name, _offset, _length, line, character) {
      const frame = frames.at(-1);
      if (frame === undefined) return;
      frame.next = frame.wanted?.children.get(name);
      mark(frame.next, line, character);
    },
  });
}

function mark(wanted: Wanted | undefined, line: number, character: number): void {
  if (wanted !== undefined) wanted.position ??= { line: line + 1, column: character + 1 };
}

function nearest(root: Wanted, path: JsonPath): Position {
  let position = root.position;
  let wanted: Wanted | undefined = root;
  for (const key of path) {
    wanted = wanted?.children.get(key);
    if (wanted?.position === undefined) break;
    position = wanted.position;
  }
  return position ?? { line: 1, column: 1 };
}
