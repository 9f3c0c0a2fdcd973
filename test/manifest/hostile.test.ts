import { describe, expect, test } from "vitest";
import { documented, task, temporaryFolder, withArm } from "./example.ts";

const folder = temporaryFolder();

describe("a text out of all proportion is refused in few short lines", () => {
  const tasks = (text: string) =>
    `{"model":"p/m","runtimeRevision":"r","arms":[{"name":"a"},{"name":"b"}],"tasks":[${text}]}`;

  test.each<[string, () => string, string]>([
    ["lists 1,000,000 deep", () => "[".repeat(1_000_000), "1:101: [0][0][0][0][0][0]: nested over 100 levels deep"],
    ["objects 1,000,000 deep", () => '{"a":'.repeat(1_000_000), "1:501: a.a.a.a.a.a: nested over 100 levels deep"],
    ["100,000 keys", () => `{${numbered((i) => `"k${i}":1`)}}`, "over 10000 entries in one list"],
    ["100,000 entries", () => tasks(numbered(() => "1")), "tasks: over 10000 entries in one list or object"],
    ["100,000 keys of an arm", () => tasks(`{${numbered((i) => `"k${i}":1`)}}`), "tasks[0]: over 10000 entries"],
    ["blanks", () => `{${" ".repeat(10_000_000)}}`, "over 100000 blanks in a row"],
    ["commas", () => ",".repeat(1_000_000), "1:1: not valid JSON: a value is expected"],
    ["an open string", () => `{"a":"${"x".repeat(1_000_000)}`, "1:6: not valid JSON: the string does not end"],
    ["a long key", () => tasks(`{"${"k".repeat(1_000_000)}":1}`), `tasks[0].${"k".repeat(59)}…: unknown key`],
    ["a long value", () => tasks(JSON.stringify({ ...task, id: "x".repeat(1_000_000) })), "tasks[0].id: must be 1 to"],
    ["wrong tasks", () => tasks(numbered(() => "1", 10_000)), "tasks[0]: must be an object, not a number"],
    ["repeated keys", () => tasks(numbered(() => '{"a":1,"a":1}', 10_000)), "tasks[0].a: the key stands twice"],
  ])("%s", async (_name, text, line) => {
    const lines = await folder.refusalOfText(text());
    expect(lines.join("\n")).toContain(line);
    expect(lines.length).toBeLessThanOrEqual(101);
    for (const shown of lines) expect(shown.length).toBeLessThan(300);
  });

  test("what is left out is counted", async () => {
    const keys = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, 1]));
    const lines = await folder.refusalOf({ ...documented, ...keys });
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe("manifest.json: 50 more problems; mend these first");
  });
});

test("keys that objects inherit are keys like others", async () => {
  const names = ["constructor", "toString", "hasOwnProperty", "prototype", "toJSON"];
  const odd = Object.fromEntries(names.map((name) => [name, "x"]));
  const lines = await folder.refusalOf({ ...documented, ...odd });
  expect(lines.map((line) => line.replace(/^\S+: (\w+): unknown key; .*/, "$1"))).toEqual(names);
  const { manifest } = await folder.load(withArm({ config: { inner: odd }, env: odd }));
  expect(manifest.arms[1].config).toEqual({ inner: odd });
  expect(manifest.arms[1].env).toEqual(odd);
  expect(manifest.cohort).not.toBe(await folder.cohortOf(withArm({ config: { inner: {} }, env: odd })));
});

test("no key and no value forges a line or drives a terminal", async () => {
  const nasty = "a\n\r\u0085\u2028\u2029\u001b[2Jb";
  const lines = await folder.refusalOf({
    ...documented,
    [nasty]: 1,
    agent: nasty,
    arms: [
      { name: nasty, env: { [nasty]: "" } },
      { name: "b", features: { [nasty]: true } },
    ],
    tasks: [{ ...task, id: nasty, tags: [nasty], promptFile: nasty, [nasty]: 1 }],
  });
  expect(lines).toHaveLength(9);
  for (const line of lines) {
    expect(line).toMatch(/^manifest\.json:\d+:\d+: /);
    // eslint-disable-next-line no-control-regex
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  }
});

function numbered(entry: (index: number) => string, count = 100_000): string {
  return Array.from({ length: count }, (_, index) => entry(index)).join(",");
}
