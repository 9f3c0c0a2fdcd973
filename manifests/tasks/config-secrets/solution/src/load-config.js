import { readFileSync } from "node:fs";
import { coerce } from "./coerce.js";
import { ConfigError } from "./errors.js";
import { FieldDefinition } from "./fields.js";
import { look, unknownKeys } from "./sources.js";

/**
 * @param {import("./define-config.js").ConfigSchema} schema
 * @param {import("../types/index.js").LoadOptions} [options]
 * @returns {any} frozen
 * @throws {ConfigError} with all problems
 */
export function loadConfig(schema, { env = {}, prefix, file, readFile = readText } = {}) {
  const problems = unknownKeys(file, schema.shape, (item) => item instanceof FieldDefinition).map(
    (path) => `${path}: there is no such setting`,
  );
  const config = {};
  for (const setting of schema.settings) {
    const { path, field } = setting;
    const found = look(setting, { env, prefix, file, readFile });
    if (found !== null) {
      const coerced = "problem" in found ? found : coerce(field, found.raw);
      if ("problem" in coerced) problems.push(`${path.join(".")}: ${coerced.problem}`);
      else put(config, path, coerced.value, !field.secret);
    } else if (field.default !== undefined || field.optional) {
      put(config, path, field.default, !field.secret);
    } else {
      problems.push(`${path.join(".")}: is not set`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(config);
}

/**
 * @param {any} target
 * @param {string[]} path
 * @param {unknown} value
 * @param {boolean} enumerable
 */
function put(target, [name = "", ...rest], value, enumerable) {
  if (rest.length === 0) Object.defineProperty(target, name, { value, enumerable });
  else put((target[name] ??= {}), rest, value, enumerable);
}

/** @param {string} path */
function readText(path) {
  return readFileSync(path, "utf8");
}

/** @param {any} item */
function deepFreeze(item) {
  if (typeof item === "object" && item !== null) Object.values(Object.freeze(item)).forEach(deepFreeze);
  return item;
}
