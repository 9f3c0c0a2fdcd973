/**
 * @typedef {object} Segment
 * @property {"literal" | "constrained" | "parameter" | "wildcard"} kind
 * @property {string} text a literal's text, else the parameter's name
 * @property {RegExp} [constraint]
 */

/** The kinds of segments, the one to prefer first. */
const kinds = ["literal", "constrained", "parameter", "wildcard"];

/**
 * Reads a pattern such as `/orders/:id(\d+)/files/*path`. A wildcard stands for one or more segments and comes last.
 *
 * @param {string} pattern
 * @returns {{ pattern: string, segments: Segment[] }}
 */
export function compile(pattern) {
  if (!pattern.startsWith("/")) throw new Error(`the pattern "${pattern}" does not begin with a slash`);
  const segments = splitPath(pattern).map(readSegment);
  const wildcard = segments.findIndex((segment) => segment.kind === "wildcard");
  if (wildcard !== -1 && wildcard !== segments.length - 1) {
    throw new Error(`the wildcard of "${pattern}" does not come last`);
  }
  return { pattern, segments };
}

/**
 * Which of two patterns to prefer for a path that both match: the first position with different kinds decides.
 *
 * @param {Segment[]} a
 * @param {Segment[]} b
 * @returns {number} below 0 for `a`, above 0 for `b`, 0 where neither
 */
export function comparePrecedence(a, b) {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = kinds.indexOf(a[index].kind) - kinds.indexOf(b[index].kind);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The segments of a path; empty ones count for nothing. */
export function splitPath(path) {
  return path.split("/").filter((segment) => segment !== "");
}

/**
 * @param {Segment[]} segments of a pattern
 * @param {string[]} parts of a path
 * @returns {Record<string, string> | null} the parameters, or null where the path does not match
 */
export function matchSegments(segments, parts) {
  const params = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (part === undefined) return null;
    if (segment.kind === "wildcard") {
      params[segment.text] = parts.slice(index).map(decode).join("/");
      return params;
    }
    const value = decode(part);
    if (segment.kind === "literal") {
      if (value !== segment.text) return null;
      continue;
    }
    if (segment.constraint !== undefined && !segment.constraint.test(value)) return null;
    params[segment.text] = value;
  }
  return parts.length === segments.length ? params : null;
}

function readSegment(text) {
  if (text.startsWith("*")) return { kind: "wildcard", text: text.slice(1) };
  const parameter = /^:(\w+)(?:\((.+)\))?$/.exec(text);
  if (parameter === null) return { kind: "literal", text };
  const [, name, constraint] = parameter;
  if (constraint === undefined) return { kind: "parameter", text: name };
  return { kind: "constrained", text: name, constraint: new RegExp(`^(?:${constraint})$`) };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
