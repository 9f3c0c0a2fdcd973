import { manifestJsonSchema } from "../manifest/schema.ts";
import type { Command } from "./main.ts";

export const schemaCommand: Command<unknown> = {
  usage: "schema",
  describe: "Print the JSON Schema of the manifest",
  options: (parser) => parser,
  run(_options, io) {
    io.stdout.write(`${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
    return Promise.resolve({ kind: "done" });
  },
};
