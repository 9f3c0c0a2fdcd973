/**
 * `target` changed by `patch` as RFC 7396 (JSON merge patch) says: objects merge key by key, null removes, anything else
 * replaces. Neither argument is changed. Written here because json-merge-patch changes its target in place and stops
 * at a key such as `constructor`, leaving the rest of the patch out.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // Unlike an assignment, fromEntries makes a key `__proto__` an ordinary one.
  return Object.fromEntries(merged);
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
