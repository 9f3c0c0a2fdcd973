import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecords } from "../../src/record/reader.ts";
import { splitTexts } from "../../src/record/texts.ts";
import { plan } from "../compare/records.ts";
import { documentedRun, fileOf, problemsOf, readText, runText } from "./texts.ts";

const cohort = plan();

describe("what is read", () => {
  test("each type of line, with its number, from a file", async () => {
    const file = fileOf(
      [
        { type: "cohort", cohort },
        { type: "run", run: documentedRun },
        { type: "void", void: { taskID: "fix-parser", repetition: 0, attempt: 0, reason: "provider" } },
        { type: "stop", stop: { reason: "decided", plannedBlocks: 1, completedBlocks: 1 } },
        { type: "comparison", comparison: null, incomplete: false },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
    expect(await readRecords(file)).toEqual({
      file,
      cohorts: [{ cohort, line: 1 }],
      runs: [{ run: documentedRun, line: 2 }],
      voids: [{ void: { taskID: "fix-parser", repetition: 0, attempt: 0, reason: "provider" }, line: 3 }],
      stops: [{ stop: { reason: "decided", plannedBlocks: 1, completedBlocks: 1 }, line: 4 }],
      closing: { incomplete: false, line: 5 },
    });
  });

  const wrapped = (changes = {}) => `{"type":"run","run":${runText(changes)}}`;
  test.each([
    ["bare runs, one a line", `${runText()}\n${runText({ repetition: 1 })}\n`, [1, 2]],
    ["wrapped runs, one a line", `${wrapped()}\n${wrapped({ repetition: 1 })}\n`, [1, 2]],
    ["no line end after the last one", `${runText()}\n${runText({ repetition: 1 })}`, [1, 2]],
    [
      "blank lines, carriage returns and a byte order mark",
      `\uFEFF\n${runText()}\r\n\r\n${runText({ repetition: 1 })}\r\n`,
      [2, 4],
    ],
    ["one array of bare runs on one line", `[${runText()},${runText({ repetition: 1 })}]`, [1, 1]],
    ["one array of wrapped runs over several lines", `[\n${wrapped()},\n\n${wrapped({ repetition: 1 })}\n]\n`, [2, 4]],
    ["an indented array", JSON.stringify([documentedRun, { ...documentedRun, repetition: 1 }], null, 2), [2, 12]],
  ])("%s", async (_name, text, lines) => {
    // Portions of 7 bytes cut lines, names and characters everywhere.
    const { runs } = await readText(text, 7);
    expect(runs).toEqual(lines.map((line, repetition) => ({ run: { ...documentedRun, repetition }, line })));
  });

  test("strings that look like structure do not end an element of an array", async () => {
    const taskID = 'a],{"b": "\\';
    const { runs } = await readText(`[${runText({ taskID })},${runText({ taskID: "é🙂" })}]`, 3);
    expect(runs.map(({ run }) => run.taskID)).toEqual([taskID, "é🙂"]);
  });

  test("fields that a newer version may add are kept", async () => {
    const future = { stopCode: "X", nested: { deep: [1] } };
    const { runs } = await readText(runText(future));
    expect(runs[0]?.run).toEqual({ ...documentedRun, ...future });
  });

  test("of several comparison lines the last counts, and what follows it takes its place away", async () => {
    const closing = (incomplete: boolean) => JSON.stringify({ type: "comparison", comparison: null, incomplete });
    const resumed = [closing(true), runText(), closing(false)];
    expect((await readText(resumed.join("\n"))).closing).toEqual({ incomplete: false, line: 3 });
    expect((await readText([...resumed, runText()].join("\n"))).closing).toBeNull();
  });
});

describe("what is refused, in one line with its place", () => {
  test.each([
    [
      "a torn last line",
      `${runText()}\n${runText().slice(0, 30)}`,
      "standard input:2: the last line is cut off; run the cohort again, or remove the line when its attempt may be missing",
    ],
    ["an empty file", "", "standard input: holds no records; give the file that `run` wrote"],
    ["blank lines only", "\n \n", "standard input: holds no records; give the file that `run` wrote"],
    ["an empty array", "[ ]", "standard input: holds no records; give the file that `run` wrote"],
    [
      "a foreign type",
      '{"type":"event"}\n',
      'standard input:1: type: is not a type of record (found "event"); the types are cohort, run, void, stop, comparison',
    ],
    [
      "an object of another kind",
      '{"name":"x"}\n',
      "standard input:1: is not a record: no `type`, and no field of a run; give a file that `run` wrote, or runs with the documented fields",
    ],
    [
      "a value that is no object",
      "17\n",
      "standard input:1: is a number, not a record; give one record, an object, a line",
    ],
    [
      "NaN",
      `${runText()}\n${runText().replace("1234.5", "NaN")}\n`,
      "standard input:2: elapsedMs: NaN is not a number in JSON; leave the field out where the value is not known",
    ],
    [
      "Infinity",
      `${runText().replace("1234.5", "-Infinity")}\n`,
      "standard input:1: elapsedMs: -Infinity is not a number in JSON; leave the field out where the value is not known",
    ],
    [
      "a number beyond all",
      `${runText().replace("1234.5", "1e999")}\n`,
      'standard input:1: elapsedMs: has the wrong type (found "Infinity"); give a finite number',
    ],
    [
      "text that is not JSON",
      `{"taskID": "a", oops}\n`,
      "standard input:1:17: is not JSON; give one JSON object a line",
    ],
    [
      "NUL bytes",
      `${runText()}\n\0\0\0\0`,
      "standard input:2: holds NUL bytes; the file is damaged; remove what is not a record",
    ],
    [
      "a missing field",
      `${JSON.stringify({ ...documentedRun, arm: undefined })}\n`,
      "standard input:1: arm: is missing; give a string",
    ],
    [
      "a wrong type",
      `${runText({ taskID: 5 })}\n`,
      "standard input:1: taskID: has the wrong type (found 5); give a string",
    ],
    [
      "a negative counter",
      `${runText({ inputTokens: -1 })}\n`,
      "standard input:1: inputTokens: is too small (found -1); give at least 0",
    ],
    [
      "a fractional counter",
      `${runText({ toolCalls: 1.5 })}\n`,
      "standard input:1: toolCalls: is not a whole number (found 1.5); give a whole number",
    ],
    [
      "an unsafe counter",
      `${runText({ inputTokens: 2 ** 53 })}\n`,
      "standard input:1: inputTokens: is too large (found 9007199254740992); give at most 9007199254740991",
    ],
    [
      "an unknown outcome",
      `${runText({ outcome: "done" })}\n`,
      'standard input:1: outcome: is not one of the known values (found "done"); give one of completed, failed, timeout, cancelled',
    ],
    [
      "an unknown position",
      `${runText({ position: 2 })}\n`,
      "standard input:1: position: is not one of the known values (found 2); give one of 0, 1",
    ],
    [
      "a failed attempt that verified",
      `${runText({ outcome: "failed" })}\n`,
      "standard input:1: verified: can be true only with outcome completed (found true)",
    ],
    [
      "a name that is too long",
      `${runText({ signal: "S".repeat(65) })}\n`,
      `standard input:1: signal: is too long (found "${"S".repeat(58)}…); give at most 64 characters`,
    ],
    [
      "a wrapped run",
      `{"type":"run","run":${runText({ repetition: "0" })}}\n`,
      'standard input:1: run.repetition: has the wrong type (found "0"); give a number'.replace(
        "a number",
        "a finite number",
      ),
    ],
    [
      "a cohort line without a plan",
      `${JSON.stringify({ type: "cohort", cohort: { ...cohort, tasks: [] } })}\n`,
      "standard input:1: cohort.tasks: is too short (found []); give at least 1 element",
    ],
    [
      "an element of an array",
      `[\n${runText()},\n${runText({ elapsedMs: -1 })}]`,
      "standard input:3: [1].elapsedMs: is too small (found -1); give at least 0",
    ],
    [
      "a wrong character in an element",
      `[${runText()},\n{"a":\n oops}]`,
      "standard input:3: [1]: is not JSON; give one JSON object a line",
    ],
    ["a comma too many", `[${runText()},]`, "standard input:1: [1]: is empty; remove the comma"],
    [
      "an array that does not end",
      `[${runText()},`,
      "standard input:1: the array does not end; the file was cut; write it again",
    ],
    [
      "text after an array",
      `[${runText()}]\n${runText()}`,
      "standard input:2: there is text after the end of the array; remove it",
    ],
  ])("%s", async (_name, text, problem) => {
    expect(await problemsOf(readText(text))).toEqual([problem]);
  });

  test("bytes that are not UTF-8, on their line or in an array", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${runText()}\n"`),
      Buffer.from([0xff]),
      Buffer.from(`"\n${runText()}\n`),
    ]);
    const fix = "the file is damaged or is not a record file";
    expect(await problemsOf(readText(bytes))).toEqual([`standard input:2: is not UTF-8 text; ${fix}`]);
    expect(await problemsOf(readText(Buffer.concat([Buffer.from("[\n"), bytes])))).toContain(
      `standard input:1: is not UTF-8 text; ${fix}`,
    );
    const cut = Buffer.concat([Buffer.from(`[${runText()}]`), Buffer.from([0xe2])]);
    expect(await problemsOf(readText(cut))).toEqual([`standard input:1: is not UTF-8 text; ${fix}`]);
  });

  test("a file that is not there, and a folder", async () => {
    const file = fileOf("");
    const missing = join(dirname(file), "none.ndjson");
    expect(await problemsOf(readRecords(missing))).toEqual([
      `${missing}: there is no such file; check the path; /dev/stdin is standard input`,
    ]);
    expect(await problemsOf(readRecords(dirname(file)))).toEqual([
      `${dirname(file)}: is a folder; give the record file in it`,
    ]);
  });

  test("all problems up to twenty, then a count; never the text of a line that is not JSON", async () => {
    const secret = "sk-secret";
    const problems = await problemsOf(readText(`not JSON ${secret}\n`.repeat(30)));
    expect(problems).toHaveLength(21);
    expect(problems[19]).toBe("standard input:20:1: is not JSON; give one JSON object a line");
    expect(problems[20]).toBe("standard input: and 10 more problems");
    expect(problems.join()).not.toContain(secret);
  });

  test("a record that is longer than memory should hold", async () => {
    async function* endless() {
      for (;;) yield await Promise.resolve(Buffer.alloc(1000, "x"));
    }
    const sink = { text: () => undefined, damaged: () => undefined };
    expect(await problemsOf(splitTexts(endless(), sink, 2_000_000))).toEqual([
      "1: a record is longer than 2 MB; write one record a line",
    ]);
  });
});

test("wherever the last line is cut, that is reported", async () => {
  const whole = `{"type":"run","run":${runText({ taskID: "Übung 🙂", note: "NaN" })}}`;
  const bytes = Buffer.from(whole);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: bytes.length - 1 }),
      fc.integer({ min: 1, max: 300 }),
      async (cut, size) => {
        const text = Buffer.concat([Buffer.from(`${whole}\n`), bytes.subarray(0, cut)]);
        const problems = await problemsOf(readText(text, size));
        expect(problems).toHaveLength(1);
        expect(problems[0]).toMatch(/^standard input:2: (the last line is cut off|is not UTF-8 text)/);
      },
    ),
  );
});
