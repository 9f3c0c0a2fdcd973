import { fileVariableName, variableName } from "./define-config.js";

/**
 * @typedef {object} Sources
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} [prefix]
 * @property {unknown} file
 * @property {(path: string) => string} readFile
 */

/**
 * What the sources hold for a setting. An empty environment variable counts as one that is not set.
 *
 * @param {import("./define-config.js").Setting} setting
 * @param {Sources} sources
 * @returns {{ raw: unknown } | { problem: string } | null} null where none holds it
 */
export function look(setting, { env, prefix, file, readFile }) {
  const name = variableName(setting, prefix);
  const text = env[name];
  const isSet = text !== undefined && text !== "";
  if (setting.field.secret) {
    const fileName = fileVariableName(setting, prefix);
    const path = env[fileName];
    if (path !== undefined && path !== "") {
      return isSet ? { problem: `${name} and ${fileName} are both set` } : read(fileName, path, readFile);
    }
  }
  if (isSet) return { raw: text };
  /** @type {any} */
  let item = file;
  for (const name of setting.path) {
    if (typeof item !== "object" || item === null || !Object.hasOwn(item, name)) return null;
    item = item[name];
  }
  return { raw: item };
}

/**
 * @param {unknown} file
 * @param {object} shape
 * @param {(item: unknown) => boolean} isField
 * @param {string[]} [path]
 * @returns {string[]} the keys of the file that the shape does not have, as paths
 */
export function unknownKeys(file, shape, isField, path = []) {
  if (typeof file !== "object" || file === null) return [];
  return Object.entries(file).flatMap(([name, item]) => {
    const here = [...path, name];
    const known = Object.hasOwn(shape, name) ? /** @type {any} */ (shape)[name] : undefined;
    if (known === undefined) return [here.join(".")];
    return isField(known) ? [] : unknownKeys(item, known, isField, here);
  });
}

/**
 * @param {string} variable
 * @param {string} path
 * @param {(path: string) => string} readFile
 */
function read(variable, path, readFile) {
  try {
    return { raw: readFile(path).trim() };
  } catch {
    return { problem: `the file of ${variable} cannot be read` };
  }
}
