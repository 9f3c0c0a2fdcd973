// Quoted line breaks in CSV: random records written out by this file, read back whole and in chunks; errors; the importer on top.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const workspace = process.argv[1];
const limits = { env: { TZ: "UTC" }, encoding: "utf8", timeout: 12_000, killSignal: "SIGKILL", maxBuffer: 1 << 25 };

/** Runs `body` in a process of its own, so that the workspace's code never shares one with these asserts. */
function drive(body, input) {
  const marker = randomUUID();
  const head = `
    const input = ${JSON.stringify(input)};
    const load = (path) => import(new URL(path, ${JSON.stringify(pathToFileURL(`${workspace}/`).href)}));
    const report = (value) =>
      process.stdout.write("\\n${marker}" + JSON.stringify(value) + "\\n", () => process.exit(0));
  `;
  const child = spawnSync(process.execPath, ["--input-type=module", "-"], { ...limits, input: head + body });
  const line = child.stdout.split("\n").find((text) => text.startsWith(marker));
  assert.ok(line !== undefined, "the workspace's code runs to its end");
  return JSON.parse(line.slice(marker.length));
}

/** The tests that came with the fixture are still there, and pass. */
function keepsTests(titles) {
  for (const [file, names] of Object.entries(titles)) {
    const text = readFileSync(join(workspace, file), "utf8");
    for (const name of names) assert.ok(text.includes(name), `${file} keeps the test "${name}"`);
  }
  const child = spawnSync(process.execPath, ["--test", ...Object.keys(titles)], { ...limits, cwd: workspace });
  assert.equal(child.status, 0, "the existing tests pass");
}

/** Equal as JSON, whatever the order of keys. (assert.deepEqual draws the difference, which takes minutes for long values.) */
function same(actual, expected, where = "values") {
  const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  const keysInOrder = (_key, value) =>
    Object.prototype.toString.call(value) === "[object Object]" ? sorted(value) : value;
  const [found, wanted] = [actual, expected].map((value) => String(JSON.stringify(value, keysInOrder)));
  assert.ok(found === wanted, `${where}: ${found.slice(0, 300)} instead of ${wanted.slice(0, 300)}`);
}

/** Whole numbers from 0 to below `bound`, the same ones in every run. */
function generator(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const pick = generator(77);
const oneOf = (list) => list[pick(list.length)];

/** A field's value and the way that it is written. */
function field(separator) {
  if (pick(2) === 0) {
    const value = Array.from({ length: pick(6) }, () => oneOf(["a", "Zo", " ", "é", "😀", "1", '"', '""', "'"])).join(
      "",
    );
    return { value: value.replace(/^"+/, ""), text: value.replace(/^"+/, "") };
  }
  const pieces = ["x", "y z", " ", '"', '"', "\n", "\r\n", "\n\n", separator, "\r", "ß", ",", ";"];
  const value = Array.from({ length: pick(9) }, () => oneOf(pieces)).join("");
  return { value, text: `"${value.replaceAll('"', '""')}"` };
}

const linesIn = (text) => text.split("\n").length - 1;

/** A random text with the records that it holds; with `fault`, one that ends in a faulty record. */
function document(fault) {
  const separator = oneOf([",", ";", "\t"]);
  const records = [];
  let text = oneOf(["", "", "\uFEFF"]);
  for (let count = 1 + pick(7); count > 0; count -= 1) {
    while (pick(4) === 0) text += oneOf(["\n", "\r\n"]);
    const fields = Array.from({ length: 1 + pick(4) }, () => field(separator));
    const written = fields.map((item) => item.text).join(separator);
    if (written === "") continue;
    records.push({ line: 1 + linesIn(text), fields: fields.map((item) => item.value) });
    text += written;
    if (count > 1 || fault !== undefined || pick(2) === 0) text += oneOf(["\n", "\r\n"]);
    else break;
  }
  if (text.endsWith("\r")) text += "\n";
  let errorLine = null;
  if (fault !== undefined) {
    if (text !== "" && text !== "\uFEFF" && !text.endsWith("\n")) text += "\n";
    const before = oneOf(["", `one${separator}`, `"two\nlines"${separator}`, `"a\r\nb\n"${separator}"c"${separator}`]);
    errorLine = 1 + linesIn(text + before);
    text += before + (fault === "open" ? `"no end${separator}\nof "" it\n` : `"closed\ntwice"x${separator}y\nlast\n`);
  }
  return { text, separator, records, errorLine };
}

/** The text in pieces, some of them empty, cut anywhere. */
function cut(text) {
  const chunks = pick(3) === 0 ? ["", ""] : [];
  for (let start = 0; start < text.length;) {
    const length = pick(text.length < 40 ? 4 : 12);
    chunks.push(text.slice(start, start + length));
    start += length;
  }
  return chunks;
}

const documents = [
  { text: '12" disk,3\n', separator: ",", records: [{ line: 1, fields: ['12" disk', "3"] }], errorLine: null },
  { text: "\n\r\n\n", separator: ",", records: [], errorLine: null },
  { text: "", separator: ",", records: [], errorLine: null },
  {
    text: 'a,"b\n\n\nc"\n"d"',
    separator: ",",
    records: [
      { line: 1, fields: ["a", "b\n\n\nc"] },
      { line: 5, fields: ["d"] },
    ],
    errorLine: null,
  },
  {
    text: "a\uFEFF,b\n\uFEFFc\n",
    separator: ",",
    records: [
      { line: 1, fields: ["a\uFEFF", "b"] },
      { line: 2, fields: ["\uFEFFc"] },
    ],
    errorLine: null,
  },
  ...Array.from({ length: 160 }, () => document()),
  ...Array.from({ length: 30 }, () => document("open")),
  ...Array.from({ length: 30 }, () => document("continued")),
].map((item) => ({ ...item, chunkings: [[...item.text], cut(item.text), cut(item.text)] }));

const crm = [
  "name,email,notes",
  '"Doe, Jane",jane@example.org,"met in Oslo',
  'call back in May"',
  "Bob,bob@example.org,",
  '"Nobody',
  'at all",nowhere,"a',
  "",
  'b"',
  "Cy,cy at example.org,",
  "",
].join("\n");

const observed = drive(
  `
  const { parseCsv, readCsv } = await load("src/parse-csv.js");
  const { importContacts, importContactsFrom } = await load("src/import-contacts.js");
  const failure = (error) => ({ name: error.name, line: error.line });
  const whole = (text, separator) => {
    try { return { records: parseCsv(text, { separator }), error: null }; }
    catch (error) { return { records: null, error: failure(error) }; }
  };
  const chunked = async (chunks, separator) => {
    const records = [];
    try { for await (const record of readCsv(chunks, { separator })) records.push(record); }
    catch (error) { return { records, error: failure(error) }; }
    return { records, error: null };
  };
  const results = [];
  for (const { text, separator, chunkings } of input.documents) {
    const streamed = [];
    for (const chunks of chunkings) streamed.push(await chunked(chunks, separator));
    results.push({ whole: whole(text, separator), streamed });
  }

  let pulled = 0;
  const pulledAt = [];
  const source = (function* () {
    for (const chunk of ['a,"b', '\\nc"\\n', 'd,e', '\\nf', ',g']) { pulled += 1; yield chunk; }
  })();
  for await (const record of readCsv(source)) pulledAt.push([record.line, pulled]);

  const broken = input.crm + '"open,';
  const refusal = (() => { try { importContacts(broken); } catch (error) { return failure(error); } })();
  const half = input.crm.length >> 1;
  report({
    results,
    pulledAt,
    imported: importContacts(input.crm),
    importedFrom: await importContactsFrom([input.crm.slice(0, half), input.crm.slice(half)]),
    refusal: refusal ?? null,
  });
  `,
  { documents, crm },
);

for (const [index, { text, records, errorLine }] of documents.entries()) {
  const { whole, streamed } = observed.results[index];
  const error = errorLine === null ? null : { name: "CsvError", line: errorLine };
  same(whole, { records: errorLine === null ? records : null, error }, `parseCsv of ${JSON.stringify(text)}`);
  for (const result of streamed) same(result, { records, error }, `readCsv of ${JSON.stringify(text)}`);
}
same(observed.pulledAt, [
  [1, 2],
  [3, 4],
  [4, 5],
]);

const imported = {
  contacts: [
    { name: "Doe, Jane", email: "jane@example.org", phone: "", notes: "met in Oslo\ncall back in May" },
    { name: "Bob", email: "bob@example.org", phone: "", notes: "" },
  ],
  problems: [
    { line: 5, message: '"nowhere" is not an e-mail address' },
    { line: 9, message: '"cy at example.org" is not an e-mail address' },
  ],
};
same(observed.imported, imported);
same(observed.importedFrom, imported);
same(observed.refusal, { name: "CsvError", line: 10 });

keepsTests({
  "test/parse-csv.test.js": [
    "cuts lines into fields",
    "quotes protect separators and quotes",
    "takes another separator",
    "leaves out empty lines and counts them",
    "drops a byte order mark",
    "refuses quotes that do not fit",
    "reads chunks of any size",
  ],
  "test/import-contacts.test.js": [
    "imports contacts and reports what it left out",
    "imports from chunks",
    "refuses a header without the needed columns",
  ],
});
