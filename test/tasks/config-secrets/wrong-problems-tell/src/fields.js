/**
 * @typedef {"string" | "integer" | "boolean" | "duration" | "choice"} FieldType
 *
 * @typedef {object} FieldSettings
 * @property {FieldType} type
 * @property {unknown} [default]
 * @property {boolean} [optional]
 * @property {string} [env]
 * @property {boolean} [secret]
 * @property {string} [description]
 * @property {number} [min]
 * @property {number} [max]
 * @property {readonly string[]} [choices]
 */

const common = ["default", "optional", "env", "secret", "description"];

export class FieldDefinition {
  /** @param {FieldSettings} settings */
  constructor(settings) {
    this.type = settings.type;
    this.settings = Object.freeze({ ...settings });
    Object.freeze(this);
  }
}

/** @param {object} [options] */
export function string(options = {}) {
  return field("string", options, []);
}

/** @param {object} [options] */
export function integer(options = {}) {
  return field("integer", options, ["min", "max"]);
}

/** @param {object} [options] */
export function boolean(options = {}) {
  return field("boolean", options, []);
}

/** @param {object} [options] */
export function duration(options = {}) {
  return field("duration", options, []);
}

/**
 * @param {readonly string[]} choices
 * @param {object} [options]
 */
export function choice(choices, options = {}) {
  if (!Array.isArray(choices) || choices.length === 0) throw new TypeError("a choice needs at least one value");
  return field("choice", options, [], { choices });
}

/**
 * @param {FieldType} type
 * @param {{ secret?: unknown, default?: unknown }} options
 * @param {string[]} own names of options that only this type has
 * @param {object} [more]
 */
function field(type, options, own, more) {
  for (const name of Object.keys(options)) {
    if (![...common, ...own].includes(name)) throw new TypeError(`${type} has no option "${name}"`);
  }
  const { secret = false } = options;
  if (typeof secret !== "boolean") throw new TypeError("secret must be true or false");
  if (secret && options.default !== undefined) throw new TypeError("a secret cannot have a default");
  return new FieldDefinition({ type, ...options, ...more, secret });
}
