import fc from "fast-check";
import { expect, test } from "vitest";
import { lineReader } from "../../src/process/lines.ts";

function read(chunks: Uint8Array[], maxCharacters?: number): (string | null)[] {
  const seen: (string | null)[] = [];
  const reader = lineReader({ maxCharacters, line: (text) => seen.push(text), damaged: () => seen.push(null) });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

function cut(bytes: Uint8Array, at: number[]): Uint8Array[] {
  const ends = [...new Set(at.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

test("lines do not depend on how the bytes are cut", () => {
  const text = fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replace(/[\n\r\ufeff]/g, "")));
  fc.assert(
    fc.property(text, fc.array(fc.nat()), fc.boolean(), (lines, cuts, crlf) => {
      const end = crlf ? "\r\n" : "\n";
      const bytes = Buffer.from(lines.map((line) => line + end).join(""));
      expect(read(cut(bytes, cuts))).toEqual(lines);
    }),
  );
});

test("a last line without line end, blank lines, a byte order mark", () => {
  expect(read([Buffer.from("\ufeffone\n\ntwo")])).toEqual(["one", "", "two"]);
  expect(read([])).toEqual([]);
});

test("bytes that are not UTF-8 damage their line alone", () => {
  const bytes = Buffer.concat([
    Buffer.from("one\n"),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from("three\n"),
    Buffer.from([0xc3]),
  ]);
  for (let position = 0; position <= bytes.length; position++) {
    expect(read(cut(bytes, [position]))).toEqual(["one", null, "three", null]);
  }
});

test("a line is handed over up to the limit and damaged once beyond it", () => {
  const chunks = (text: string) => cut(Buffer.from(text), [3, 7, 11, 20]);
  expect(read(chunks(`${"x".repeat(10)}\n${"y".repeat(11)}\nz\n`), 10)).toEqual(["x".repeat(10), null, "z"]);
  expect(read(chunks(`${"€".repeat(10)}\n${"€".repeat(11)}\n`), 10)).toEqual(["€".repeat(10), null]);
  expect(read(Array<Uint8Array>(1000).fill(Buffer.from("x".repeat(100))), 10)).toEqual([null]);
});

test("a line of 50 MB is damage, and what follows is read", () => {
  const megabyte = Buffer.alloc(1_000_000, "x");
  const seen: number[] = [];
  let damaged = 0;
  const reader = lineReader({ line: (text) => seen.push(text.length), damaged: () => (damaged += 1) });
  for (let count = 0; count < 50; count++) reader.push(megabyte);
  reader.push(Buffer.from("\nnext\n"));
  reader.end();
  expect({ seen, damaged }).toEqual({ seen: [4], damaged: 1 });
});
