import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePatch } from "../../src/agent/merge.ts";

// The examples of RFC 7396, appendix A.
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  // Keys that mean something to an object of JavaScript are keys like others.
  ['{"a":1}', '{"__proto__":{"x":1},"constructor":2,"b":3}', '{"a":1,"__proto__":{"x":1},"constructor":2,"b":3}'],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"y":2}}', '{"__proto__":{"x":1,"y":2}}'],
])("%s changed by %s is %s", (target, patch, merged) => {
  expect(JSON.stringify(mergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(merged);
});

test("changes neither argument, and twice is once", () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (target, patch) => {
      const [before, change] = [JSON.parse(target), JSON.parse(patch)] as [unknown, unknown];
      const [beforeText, changeText] = [JSON.stringify(before), JSON.stringify(change)];
      const once = mergePatch(before, change);
      expect(JSON.stringify(mergePatch(once, change))).toBe(JSON.stringify(once));
      expect([JSON.stringify(before), JSON.stringify(change)]).toEqual([beforeText, changeText]);
    }),
  );
});
