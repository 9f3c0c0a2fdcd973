import { expect, test } from "vitest";
import { judge, load } from "./program.ts";

const imports = `import test, { after, before, describe, it, mock, run } from "node:test";\nimport assert from "node:assert/strict";\n`;
const written = `import { writeFileSync } from "node:fs";\nwriteFileSync("a.test.mjs", 'import test from "node:test"; test("a", () => {});');\n`;

test.concurrent.each([
  ["has subtests", `await test("a", async (t) => { await t.test("b", () => {}); });`],
  [
    "has hooks and suites",
    `describe("a", () => { before(() => {}); it("b", (_t, done) => setTimeout(done, 10)); after(() => {}); });`,
  ],
  ["expects a failure to do", `test("a", { todo: true }, () => { throw new Error(); });`],
  ["skips", `test("a", { skip: "later" }, () => { throw new Error(); });`],
  ["only mocks", `mock.fn();`],
  [
    "mocks timers",
    `test("a", (t) => { t.mock.timers.enable({ apis: ["setTimeout"] }); const call = mock.fn(); setTimeout(call, 1000); t.mock.timers.tick(1000); assert.equal(call.mock.callCount(), 1); });`,
  ],
  ["tests late", `setTimeout(() => test("a", () => {}), 20);`],
  [
    "runs test files by itself",
    `${written}let passed = 0;
for await (const { type } of run({ files: [process.cwd() + "/a.test.mjs"] })) if (type === "test:pass") passed++;
assert.equal(passed, 1);`,
  ],
  [
    "runs node --test in a child process",
    `${written}import { spawnSync } from "node:child_process";
const { status, stdout } = spawnSync(process.execPath, ["--test", "a.test.mjs"], { encoding: "utf8" });
assert.equal(status, 0);
assert.match(stdout, /pass 1/);`,
  ],
] as const)("an oracle with node:test that %s passes", async (_name, oracle) => {
  expect(await judge(imports + oracle)).toEqual({ kind: "passed" });
});

test.concurrent.each([
  ["has a failing subtest", `test("a", async (t) => { await t.test("b", () => { throw new Error(); }); });`],
  ["has a failing hook", `describe("a", () => { before(() => { throw new Error(); }); it("b", () => {}); });`],
  ["fails in a suite", `describe("a", () => { it("b", async () => { assert.equal(1, 2); }); });`],
  ["fails late", `setTimeout(() => test("a", () => { throw new Error(); }), 20);`],
  [
    "throws out of a test",
    `test("a", async () => { setTimeout(() => { throw new Error(); }, 5); await new Promise((resolve) => setTimeout(resolve, 30)); });`,
  ],
] as const)("an oracle with node:test that %s fails", async (_name, oracle) => {
  expect(await judge(imports + oracle)).toEqual({ kind: "failed" });
});

test("an oracle that loads failing tests of the workspace fails", async () => {
  const code = `import test from "node:test";\ntest("a", () => { throw new Error(); });`;
  expect(await judge(load, code)).toEqual({ kind: "failed" });
});

test("a test that never settles does not pass by the listeners that code removes", async () => {
  const code = `export const never = new Promise(() => {});
setTimeout(() => { for (const listener of process.listeners("beforeExit").slice(1)) process.off("beforeExit", listener); }, 20);`;
  const oracle = `${imports}${load}test("a", () => code.never);`;
  expect((await judge(oracle, code, 5000)).kind).not.toBe("passed");
});
