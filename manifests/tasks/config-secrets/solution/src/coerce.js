/**
 * @typedef {{ value: unknown } | { problem: string }} Coerced
 * @typedef {import("./fields.js").FieldSettings} FieldSettings
 */

/** @type {Record<string, number>} */
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Makes a value of the field's type of what a source holds.
 *
 * @param {FieldSettings} field
 * @param {unknown} raw text of an environment variable, or whatever the file holds
 * @returns {Coerced}
 */
export function coerce(field, raw) {
  switch (field.type) {
    case "string":
      return typeof raw === "string" ? { value: raw } : { problem: `${show(field, raw)} is no text` };
    case "integer":
      return integer(field, raw);
    case "boolean":
      if (raw === true || raw === "true" || raw === "1") return { value: true };
      if (raw === false || raw === "false" || raw === "0") return { value: false };
      return { problem: `${show(field, raw)} is neither true nor false` };
    case "duration":
      return duration(field, raw);
    case "choice": {
      const choices = field.choices ?? [];
      if (typeof raw === "string" && choices.includes(raw)) return { value: raw };
      return { problem: `${show(field, raw)} is none of ${choices.join(", ")}` };
    }
  }
}

/**
 * @param {FieldSettings} field
 * @param {unknown} raw
 * @returns {Coerced}
 */
function integer(field, raw) {
  const { min = -Infinity, max = Infinity } = field;
  const value = typeof raw === "string" && /^-?\d+$/.test(raw) ? Number(raw) : raw;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    return { problem: `${show(field, raw)} is no whole number` };
  }
  if (value < min) return { problem: `${show(field, value)} is less than ${min}` };
  if (value > max) return { problem: `${show(field, value)} is more than ${max}` };
  return { value };
}

/**
 * @param {FieldSettings} field
 * @param {unknown} raw
 * @returns {Coerced}
 */
function duration(field, raw) {
  if (typeof raw === "number" && raw >= 0) return { value: raw };
  const match = typeof raw === "string" ? /^(\d+)(ms|s|m|h)$/.exec(raw) : null;
  if (match === null) return { problem: `${show(field, raw)} is no duration such as 250ms or 30s` };
  const [, amount = "", unit = ""] = match;
  return { value: Number(amount) * (units[unit] ?? Number.NaN) };
}

/**
 * A value as problems show it.
 *
 * @param {FieldSettings} field
 * @param {unknown} value
 */
function show(field, value) {
  return field.secret ? "[secret]" : JSON.stringify(value);
}
