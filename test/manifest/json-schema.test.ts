import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { manifestJsonSchema } from "../../src/manifest/schema.ts";
import { defaults, documented, withArm, withTask, type Fields } from "./example.ts";

const manifests = new URL("../../manifests/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, manifests), "utf8");
const accepts = new Ajv({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
}).compile(JSON.parse(read("manifest.schema.json")) as object);

test("the committed file is what the program prints", () => {
  expect(read("manifest.schema.json")).toBe(`${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
});

test("every field has a description", () => {
  const bare: string[] = [];
  const walk = (schema: Fields, path: string): void => {
    for (const [key, inner] of Object.entries((schema.properties ?? {}) as Record<string, Fields>)) {
      if (typeof inner.description !== "string") bare.push(`${path}.${key}`);
      walk(inner, `${path}.${key}`);
    }
    const parts = [schema.items, ...((schema.anyOf ?? []) as unknown[])].flat();
    for (const part of parts) if (typeof part === "object" && part !== null) walk(part as Fields, path);
  };
  const schema = manifestJsonSchema() as Fields;
  walk(schema, "");
  expect(Object.keys(schema.properties as object)).toContain("tasks");
  expect(bare).toEqual([]);
});

describe("accepts", () => {
  const shipped = ["demo.json", ...readdirSync(new URL("ax-code", manifests)).map((name) => `ax-code/${name}`)];

  test.each(shipped)("the shipped manifest %s", (path) => {
    expect(accepts(JSON.parse(read(path)))).toBe(true);
  });

  test.each<[string, Fields]>([
    ["a documented manifest", documented],
    ["defaults spelled out", { ...documented, ...defaults }],
    ["$schema, name and description", { $schema: "x", name: "n", description: "", ...documented }],
    ["parts in files", withTask({ prompt: undefined, promptFile: "a", files: undefined, fixture: "b", solution: "c" })],
    ["a listed solution", withTask({ solution: [{ path: "a/b c", content: "" }] })],
    ["an arm with all its fields", withArm({ env: { A_1: "" }, config: { a: [null] }, promptTemplate: "{prompt}" })],
  ])("%s", (_name, manifest) => {
    expect(accepts(JSON.parse(JSON.stringify(manifest)))).toBe(true);
  });
});

describe("helps against", () => {
  test.each<[string, Fields]>([
    ["an unknown key", { ...documented, repetitons: 1 }],
    ["an unknown key of an arm", withArm({ skills: [] })],
    ["a missing field", { ...documented, model: undefined }],
    ["one arm", { ...documented, arms: [{ name: "a" }] }],
    ["three arms", { ...documented, arms: ["a", "b", "c"].map((name) => ({ name })) }],
    ["both prompts", withTask({ promptFile: "a" })],
    ["no fixture", withTask({ files: undefined })],
    ["a path that climbs out of the root", withTask({ files: [{ path: "/a", content: "" }] })],
    ["a bad variable name", withArm({ env: { "A-B": "" } })],
    ["half a repetition", { ...documented, repetitions: 0.5 }],
  ])("%s", (_name, manifest) => {
    expect(accepts(JSON.parse(JSON.stringify(manifest)))).toBe(false);
  });
});
