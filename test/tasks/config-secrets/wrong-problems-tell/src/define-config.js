import { FieldDefinition } from "./fields.js";

/**
 * A field at its place.
 *
 * @typedef {object} Setting
 * @property {string[]} path
 * @property {import("./fields.js").FieldSettings} field
 */

export class ConfigSchema {
  /** @param {object} shape */
  constructor(shape) {
    this.shape = shape;
    /** @type {readonly Setting[]} in the order of the shape */
    this.settings = Object.freeze(flatten(shape, []));
    Object.freeze(this);
  }
}

/** @param {object} shape */
export function defineConfig(shape) {
  return new ConfigSchema(shape);
}

/**
 * @param {Setting} setting
 * @param {string} [prefix]
 * @returns {string} as in `APP_DATABASE_URL`
 */
export function variableName({ path, field }, prefix) {
  if (field.env !== undefined) return field.env;
  const words = path.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  return [...(prefix === undefined ? [] : [prefix]), ...words].join("_");
}

/**
 * The variable that may name the file of a secret.
 *
 * @param {Setting} setting
 * @param {string} [prefix]
 */
export function fileVariableName(setting, prefix) {
  return `${variableName(setting, prefix)}_FILE`;
}

/**
 * @param {object} shape
 * @param {string[]} path
 * @returns {Setting[]}
 */
function flatten(shape, path) {
  return Object.entries(shape).flatMap(([name, item]) => {
    const here = [...path, name];
    if (item instanceof FieldDefinition) return [{ path: here, field: item.settings }];
    if (typeof item === "object" && item !== null) return flatten(item, here);
    throw new TypeError(`${here.join(".")} is neither a field nor a group of fields`);
  });
}
