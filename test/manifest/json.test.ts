import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/manifest/json.ts";
import { positionsOf } from "../../src/manifest/positions.ts";
import { InputError } from "../../src/problem.ts";
import { documented, temporaryFolder } from "./example.ts";

const folder = temporaryFolder();

describe("a syntax error is named with line and column", () => {
  test.each([
    ["", "1:1: the file is empty; write a JSON object into it"],
    [" \n\t", "2:2: the file is empty; write a JSON object into it"],
    ['{\n  "model": "a/b",,\n}', "2:18: not valid JSON: a key in double quotes is expected"],
    ['{"a": 1,}', "1:9: not valid JSON: a key in double quotes is expected; remove the comma before it"],
    ['{"a": [1, 2, ]}', "1:14: not valid JSON: a value is expected; remove the comma before it"],
    ['{"a": }', "1:7: not valid JSON: a value is expected"],
    ['{"a" 1}', "1:6: not valid JSON: a colon is expected"],
    ['{"a": 1 "b": 2}', "1:9: not valid JSON: a comma is expected"],
    ['{"a": 1', "1:8: not valid JSON: a closing } is expected"],
    ["[1", "1:3: not valid JSON: a closing ] is expected"],
    ["{} x", "1:4: not valid JSON: this is no value of JSON"],
    ["{}{}", "1:3: not valid JSON: the text goes on after its end"],
    ["{ // no\n}", "1:3: not valid JSON: comments are not allowed"],
    ["{ /* no */ }", "1:3: not valid JSON: comments are not allowed"],
    ["{'a': 1}", "1:2: not valid JSON: this is no value of JSON"],
    ["{a: 1}", "1:2: not valid JSON: this is no value of JSON"],
    ['{"a": NaN}', "1:7: not valid JSON: this is no value of JSON"],
    ['{"a": 01}', "1:8: not valid JSON: a comma is expected"],
    ['{"a": 1.}', "1:7: not valid JSON: the number breaks off"],
    ['{"a": "b\n"}', "1:7: not valid JSON: the string does not end on its line"],
    ['{"a": "b\u0001"}', "1:7: not valid JSON: a control character in a string must be escaped"],
    ['{"a": "\\x41"}', "1:7: not valid JSON: unknown escape after \\"],
    ['{"a": "\\u12"}', "1:7: not valid JSON: \\u needs four hexadecimal digits"],
    ['{"ü😀": 1,\r\n"b": tru}', "2:6: not valid JSON: this is no value of JSON"],
  ])("%j", async (text, line) => {
    const lines = await folder.refusalOfText(text);
    expect(lines[0]).toBe(`manifest.json:${line}`);
  });

  test("several of them, one a line", async () => {
    expect(await folder.refusalOfText('{\n"a": x,\n"b": 1,\n"c": y\n}')).toEqual([
      "manifest.json:2:6: not valid JSON: this is no value of JSON",
      "manifest.json:4:6: not valid JSON: this is no value of JSON",
    ]);
  });

  test("no more than anybody reads", async () => {
    expect(await folder.refusalOfText("{\n".repeat(50) + "?\n".repeat(1000))).toHaveLength(20);
  });

  test("JSON of another shape is no syntax error", async () => {
    expect(await folder.refusalOfText("[]")).toEqual(["manifest.json:1:1: must be an object, not a list"]);
    expect(await folder.refusalOfText("null")).toEqual(["manifest.json:1:1: must be an object, not null"]);
    expect(await folder.refusalOfText("5")).toEqual(["manifest.json:1:1: must be an object, not a number"]);
  });
});

describe("what JSON allows and a manifest does not", () => {
  test("a key that stands twice, in any object", async () => {
    const text = `{
  "model": "p/m", "runtimeRevision": "r", "model": "p/n",
  "arms": [{ "name": "a", "env": { "A": "", "A": "" } }, { "name": "b", "config": { "x": [{ "y": 1,
      "\\u0079": 2 }] } }],
  "tasks": [{ "id": "t", "prompt": "p", "oracle": "o", "files": [{ "path": "a", "content": "", "path": "b" }] }]
}`;
    const fix = "the key stands twice in one object; leave one of them";
    expect((await folder.refusalOfText(text)).map((line) => line.replace(/ \(found .*?\)/, ""))).toEqual([
      `manifest.json:2:43: model: ${fix}`,
      `manifest.json:3:45: arms[0].env.A: ${fix}`,
      `manifest.json:4:7: arms[1].config.x[0].y: ${fix}`,
      `manifest.json:5:96: tasks[0].files[0].path: ${fix}`,
    ]);
  });

  test("is named beside other problems", async () => {
    const text = JSON.stringify({ ...documented, repetitions: 0 }).replace("{", '{"model":"a/b",');
    expect(await folder.refusalOfText(text)).toEqual([
      expect.stringContaining("model: the key stands twice"),
      expect.stringContaining("repetitions: must be at least 1"),
    ]);
  });

  test.each([
    ['{"__proto__": {"model": "a/b"}}', "__proto__"],
    ['{"arms": [{"name": "a", "config": {"__proto__": {"polluted": true}}}]}', "arms[0].config.__proto__"],
    ['{"arms": [{"name": "a", "env": {"__proto__": "x"}}]}', "arms[0].env.__proto__"],
    ['{"tasks": [{"\\u005f_proto__": []}]}', "tasks[0].__proto__"],
  ])("the key __proto__: %s", async (text, field) => {
    const lines = await folder.refusalOfText(text);
    expect(lines.filter((line) => line.includes(`${field}: the key __proto__ is not allowed`))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("__proto__"))).toHaveLength(1);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a number that no double holds", async () => {
    const text = JSON.stringify(documented).replace('"toolProfile":"core"', '"config":{"budget":1e999}');
    expect(await folder.refusalOfText(text)).toEqual([
      expect.stringContaining("arms[1].config.budget: the number is too large"),
    ]);
  });
});

test("property: what is parsed is what JSON.parse makes of it, and anything else is refused", () => {
  const strict = fc.json({ maxDepth: 5 }).filter((text) => !text.includes("__proto__"));
  fc.assert(
    fc.property(strict, fc.nat(), fc.constantFrom("", ",", "}", '"', " ", "0", "\\"), (text, place, noise) => {
      const at = place % (text.length + 1);
      for (const candidate of [text, text.slice(0, at) + noise + text.slice(at)]) {
        let expected: unknown;
        try {
          expected = JSON.parse(candidate);
        } catch {
          expect(() => parseJson(candidate, "m.json")).toThrow(InputError);
          continue;
        }
        expect(parseJson(candidate, "m.json").value).toEqual(expected);
      }
    }),
  );
});

test("property: a path leads to the place of its key or element in the text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent).replaceAll("__proto__", "x");
      const lines = text.split("\n");
      const paths = pathsOf(JSON.parse(text));
      for (const [index, { line, column }] of positionsOf(text, paths).entries()) {
        const rest = [(lines[line - 1] ?? "").slice(column - 1), ...lines.slice(line)].join("\n");
        const key = paths[index]?.at(-1);
        if (typeof key === "string") expect(rest.startsWith(JSON.stringify(key))).toBe(true);
        else expect(rest.startsWith(startOf(valueAt(JSON.parse(text), paths[index] ?? [])))).toBe(true);
      }
    }),
  );
});

test("a path that leads nowhere has the place of what it leads to last", () => {
  const text = '{\n "a": [1,\n  {"b": 2}]\n}';
  expect(parse(text)).toEqual({ a: [1, { b: 2 }] });
  const paths = [["x"], ["a", 1, "c"], ["a", 7], ["a", 0, "deep", "er"], []];
  expect(positionsOf(text, paths)).toEqual([
    { line: 1, column: 1 },
    { line: 3, column: 3 },
    { line: 2, column: 2 },
    { line: 2, column: 8 },
    { line: 1, column: 1 },
  ]);
});

function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [path, ...[...keys].flatMap((key) => pathsOf((value as never)[key], [...path, key]))];
}

function valueAt(value: unknown, path: (string | number)[]): unknown {
  return path.reduce((inner, key) => (inner as never)[key], value);
}

function startOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value).slice(0, 1) : JSON.stringify(value);
}
