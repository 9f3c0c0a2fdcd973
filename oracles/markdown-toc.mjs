// Anchors of headings: random documents, written together with what must come of them.
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

const pick = generator(2718);
const oneOf = (list) => list[pick(list.length)];

/** A heading as it is written, as it is read, and its base anchor. */
const texts = [
  ["Notes", "Notes", "notes"],
  ["Notes", "Notes", "notes"],
  ["Notes 1", "Notes 1", "notes-1"],
  ["Notes-1", "Notes-1", "notes-1"],
  ["Notes 2", "Notes 2", "notes-2"],
  ["Notes 1 1", "Notes 1 1", "notes-1-1"],
  ["*Notes*", "Notes", "notes"],
  ["`notes`", "notes", "notes"],
  ["[Notes](https://example.org)", "Notes", "notes"],
  ["Set up & run!", "Set up & run!", "set-up--run"],
  ["Über **uns**", "Über uns", "über-uns"],
  ["C++", "C++", "c"],
  ["C", "C", "c"],
  ["constructor", "constructor", "constructor"],
  ["__proto__ ", "proto", "proto"],
];

/** A block of code with things in it that look like headings, links and fences, but are none. */
function code() {
  const mark = oneOf(["`", "~"]);
  const other = mark === "`" ? "~" : "`";
  const length = 3 + pick(3);
  const fence = mark.repeat(length);
  const info = oneOf(["", "sh", " js title=x", mark === "~" ? " a`b" : ""]);
  const inside = Array.from({ length: 1 + pick(5) }, () =>
    oneOf([
      "# Notes",
      "## Notes 1",
      "[x](#nowhere)",
      other.repeat(length + pick(2)),
      mark.repeat(2),
      ...(length > 3 ? [mark.repeat(length - 1)] : []),
      `${fence} x`,
      `    ${fence}`,
      "",
    ]),
  );
  const indent = () => " ".repeat(pick(4));
  return {
    open: [`${indent()}${fence}${info}`, ...inside],
    close: `${indent()}${fence}${mark.repeat(pick(2))}${oneOf(["", "  "])}`,
  };
}

function example() {
  const lines = [];
  const headings = [];
  const links = [];
  const taken = new Set();
  let ends = false;
  for (let count = 4 + pick(16); count > 0 && !ends; count -= 1) {
    const what = pick(10);
    if (what < 5) {
      const [written, text, base] = oneOf(texts);
      const level = 1 + pick(4);
      let anchor = base;
      for (let number = 1; taken.has(anchor); number += 1) anchor = `${base}-${number}`;
      taken.add(anchor);
      headings.push({ level, text, anchor });
      lines.push(`${" ".repeat(pick(4))}${"#".repeat(level)} ${written}${oneOf(["", "", " ##"])}`);
    } else if (what < 7) {
      const block = code();
      ends = pick(8) === 0;
      lines.push(...block.open, ...(ends ? [] : [block.close]));
    } else if (what < 9) {
      const target = oneOf([
        "notes",
        "notes-1",
        "notes-2",
        "notes-3",
        "notes-1-1",
        "c",
        "c-1",
        "%C3%BCber-uns",
        "über-uns-1",
        "x",
      ]);
      lines.push(oneOf([`see [it](#${target}).`, `- [a](#${target}) and \`[b](#y)\``]));
      links.push({ line: lines.length, target: decodeURIComponent(target) });
    } else {
      lines.push(oneOf(["", "text", "``` inline ``` code", "~~ no fence", "#no heading", "    # code"]));
    }
  }
  const minLevel = 1 + pick(3);
  const options = oneOf([undefined, { minLevel }, { minLevel, maxLevel: minLevel + pick(3) }]);
  const { minLevel: from = 2, maxLevel: to = 3 } = options ?? {};
  const shown = headings.filter(({ level }) => level >= from && level <= to);
  const top = Math.min(...shown.map(({ level }) => level));
  const list = shown.map(({ level, text, anchor }) => `${"  ".repeat(level - top)}- [${text}](#${anchor})`).join("\n");
  const broken = links.filter(({ target }) => !taken.has(target));
  return { markdown: lines.join(oneOf(["\n", "\n", "\r\n"])), options, list, broken };
}

const examples = Array.from({ length: 250 }, example);
const fourNotes = ["Notes", "Notes 1", "Notes", "Notes 1"].map((text) => `## ${text}`).join("\n");
examples.push({
  markdown: fourNotes,
  list: "- [Notes](#notes)\n- [Notes 1](#notes-1)\n- [Notes](#notes-2)\n- [Notes 1](#notes-1-1)",
  broken: [],
});

const observed = drive(
  `
  const { toc, insertToc, checkLinks } = await load("src/index.js");
  const results = input.map(({ markdown, options }) => {
    const framed = "<!-- toc -->\\nold\\n<!-- /toc -->\\n" + markdown;
    const once = insertToc(framed, options);
    return { list: toc(markdown, options), again: toc(markdown, options), broken: checkLinks(markdown), once, twice: insertToc(once, options) };
  });
  report(results);
  `,
  examples.map(({ markdown, options }) => ({ markdown, options })),
);

for (const [index, { markdown, list, broken }] of examples.entries()) {
  const once = `<!-- toc -->\n\n${list === "" ? "" : `${list}\n\n`}<!-- /toc -->\n${markdown}`;
  same(observed[index], { list, again: list, broken, once, twice: once }, JSON.stringify(markdown));
}

keepsTests({
  "test/toc.test.js": [
    "lists headings by their level",
    "leaves markup and punctuation out",
    "code is no heading",
    "puts the list between its marks",
    "finds links that lead nowhere",
  ],
});
