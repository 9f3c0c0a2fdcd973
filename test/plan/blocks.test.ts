import fc from "fast-check";
import { expect, test } from "vitest";
import { planBlocks } from "../../src/plan/blocks.ts";

test("a first task of two repetitions runs baseline, candidate, candidate, baseline", () => {
  expect(planBlocks(2, 2)).toEqual([
    { task: 0, repetition: 0, order: [0, 1] },
    { task: 0, repetition: 1, order: [1, 0] },
    { task: 1, repetition: 0, order: [1, 0] },
    { task: 1, repetition: 1, order: [0, 1] },
  ]);
});

test("every block is planned once, holds both arms once, and the orders are balanced to within one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), (tasks, repetitions) => {
      const blocks = planBlocks(tasks, repetitions);
      expect(new Set(blocks.map(({ task, repetition }) => `${task}/${repetition}`)).size).toBe(tasks * repetitions);
      expect(blocks.every(({ order }) => new Set(order).size === 2)).toBe(true);
      const baselineFirst = blocks.filter(({ order }) => order[0] === 0).length;
      expect(Math.abs(2 * baselineFirst - blocks.length)).toBeLessThanOrEqual(1);
    }),
  );
});
