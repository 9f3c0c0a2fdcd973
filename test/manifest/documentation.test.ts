import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { manifestJsonSchema } from "../../src/manifest/schema.ts";
import { temporaryFolder, type Fields } from "./example.ts";

const folder = temporaryFolder();

const page = readFileSync(new URL("../../docs/manifest.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text ?? "");

test.each(examples)("the example %# is a valid manifest", async (text) => {
  folder.put("csv-import/prompt.md", "Fix it.");
  folder.put("csv-import/fixture/a.js", "");
  folder.put("csv-import/solution/a.js", "1;");
  folder.put("oracles/csv-import.mjs", "process.exit(1);");
  const { manifest, warnings } = await folder.load(JSON.parse(text));
  expect(manifest.tasks).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test("there is an example for ax-code, and one for pi", () => {
  expect(examples.map((text) => (JSON.parse(text) as Fields).agent)).toEqual([undefined, "pi"]);
});

test("every field is explained", () => {
  const names = new Set<string>();
  const walk = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    for (const name of Object.keys((schema as Fields).properties ?? {})) names.add(name);
    Object.values(schema).forEach(walk);
  };
  walk(manifestJsonSchema());
  expect(names.size).toBeGreaterThan(30);
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
