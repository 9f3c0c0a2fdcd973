import { expect, test } from "vitest";
import {
  formatCount,
  formatDifference,
  formatMilliseconds,
  formatPoints,
  formatRate,
  formatRatio,
} from "../../src/report/numbers.ts";
import { fit, plain, wrap } from "../../src/report/plain.ts";

test.each([
  [0, "0 ms"],
  [0.0001, "<0.01 ms"],
  [1.234, "1.23 ms"],
  [9.996, "10.0 ms"],
  [812.4, "812 ms"],
  [999.4, "999 ms"],
  [999.6, "1.00 s"],
  [12_340, "12.3 s"],
  [119_000, "119 s"],
  [120_000, "2.00 min"],
  [7_140_000, "119 min"],
  [7_200_000, "2.00 h"],
  [Number.MAX_SAFE_INTEGER, "2,501,999,793 h"],
])("%s milliseconds", (ms, text) => {
  expect(formatMilliseconds(ms)).toBe(text);
});

test("counts are grouped, with their half where a median has one", () => {
  const texts = [0, 999, 1000, 1234567, 2562.5, 999_999_999_999].map(formatCount);
  expect(texts).toEqual(["0", "999", "1,000", "1,234,567", "2,562.5", "999,999,999,999"]);
  expect(formatCount(Number.MAX_SAFE_INTEGER)).toBe("9.007e+15");
});

test("rates, differences and ratios", () => {
  expect([0, 1 / 3, 1].map(formatRate)).toEqual(["0.0%", "33.3%", "100.0%"]);
  expect([0.25, -0.25, 0, -0, 0.0001, -0.0001, 1].map(formatPoints)).toEqual([
    "+25.0 pp",
    "-25.0 pp",
    "0.0 pp",
    "0.0 pp",
    "0.0 pp",
    "0.0 pp",
    "+100.0 pp",
  ]);
  expect([3, -14_300, 0, -0.5].map(formatDifference)).toEqual(["+3", "-14,300", "0", "-0.5"]);
  expect([0, 0.001, 0.875, 1, 12.34, 1234].map(formatRatio)).toEqual([
    "x 0",
    "x <0.01",
    "x 0.88",
    "x 1.00",
    "x 12.3",
    "x 1,234",
  ]);
});

test("text is made plain, cut and wrapped", () => {
  expect(plain("a\u001b[0m\nb\ud800\u202e")).toBe("a\\u{1b}[0m\\u{a}b\\u{d800}\\u{202e}");
  expect(fit("abcdef", 6)).toBe("abcdef");
  expect(fit("abcdefg", 6)).toBe("abcde…");
  expect(fit("任务名称", 6)).toBe("任务…");
  expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrap("a very-long-word b", 6)).toEqual(["a", "very-l", "ong-wo", "rd b"]);
  expect(wrap("", 5)).toEqual([]);
});
