import { fileVariableName, variableName } from "./define-config.js";

/**
 * @param {import("./define-config.js").ConfigSchema} schema
 * @param {{ prefix?: string }} [options]
 */
export function describe(schema, { prefix } = {}) {
  return schema.settings
    .map((setting) => {
      const { path, field } = setting;
      const name = variableName(setting, prefix);
      const variables = field.secret ? `${name} or ${fileVariableName(setting, prefix)}` : name;
      const notes = [variables, field.choices?.join(" | ") ?? field.type];
      if (field.secret) notes.push("secret");
      if (field.default !== undefined) notes.push(`default ${JSON.stringify(field.default)}`);
      else if (field.optional) notes.push("optional");
      if (field.description !== undefined) notes.push(field.description);
      return `${path.join(".")}: ${notes.join("; ")}`;
    })
    .join("\n");
}

/**
 * @param {import("./define-config.js").ConfigSchema} schema
 * @param {any} config
 */
export function dump(schema, config) {
  return schema.settings
    .map(({ path, field }) => {
      const value = path.reduce((item, name) => item?.[name], config);
      const shown = field.secret ? "[secret]" : JSON.stringify(value);
      return `${path.join(".")} = ${value === undefined ? "(not set)" : shown}`;
    })
    .join("\n");
}
