import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { getuid } from "node:process";
import { describe, expect, test } from "vitest";
import { loadManifest } from "../../src/manifest/load.ts";
import { documented, task, temporaryFolder, withTask } from "./example.ts";

const folder = temporaryFolder();

const asRoot = getuid?.() === 0;
const inFile = (path: string) => withTask({ prompt: undefined, promptFile: path });
const inFolder = (path: string) => withTask({ files: undefined, fixture: path });

describe("a manifest that is no file of text is one line", () => {
  test("missing", async () => {
    const line = "there is no such file; name a readable text file";
    expect(await folder.refusal(folder.path("none.json"))).toEqual([`none.json: ${line}`]);
    expect(await folder.refusal(folder.path("none/none.json"))).toEqual([`none/none.json: ${line}`]);
  });

  test("a folder, a file taken for a folder", async () => {
    expect(await folder.refusal(folder.path(""))).toEqual([expect.stringContaining("this is a folder, not a file")]);
    folder.put("file", "");
    expect(await folder.refusal(folder.path("file/m.json"))).toEqual([
      expect.stringContaining("the file cannot be read (ENOTDIR)"),
    ]);
  });

  test("a device, a pipe", async () => {
    expect(await folder.refusal("/dev/zero")).toEqual([expect.stringContaining("this is not a regular file")]);
    execFileSync("sh", ["-c", 'mkfifo "$0"', folder.path("pipe")]);
    expect(await folder.refusal(folder.path("pipe"))).toEqual([expect.stringContaining("not a regular file")]);
  });

  test("binary, in another encoding", async () => {
    const line = "manifest.json: the file is not text in UTF-8; name a readable text file";
    expect(await folder.refusalOfText("{\0}")).toEqual([line]);
    expect(await folder.refusalOfText(Buffer.from('{"a":"é"}', "latin1"))).toEqual([line]);
    expect(await folder.refusalOfText(Buffer.from('\ufeff{"a":1}', "utf16le"))).toEqual([line]);
  });

  test("over 64 MB", async () => {
    truncateSync(folder.put("large.json", ""), 64_000_001);
    expect(await folder.refusal(folder.path("large.json"))).toEqual([
      expect.stringContaining("large.json: the file has 64000001 bytes; a manifest has at most 64 MB; put prompts"),
    ]);
  });

  test.skipIf(asRoot)("not to be read", async () => {
    chmodSync(folder.put("m.json", "{}"), 0);
    expect(await folder.refusal(folder.path("m.json"))).toEqual([expect.stringContaining("cannot be read (EACCES)")]);
  });

  test("under a name that forges a line", async () => {
    const lines = await folder.refusal(folder.put("two\nlines\u2028\u001b[31m.json", "["));
    expect(lines).toEqual(["two lines [31m.json:1:2: not valid JSON: a closing ] is expected"]);
  });

  test("under a name with a NUL", async () => {
    expect(await folder.refusal("a\0b")).toEqual([expect.stringContaining("a b: the file cannot be read")]);
  });
});

describe("a file that a task names", () => {
  test.each<[string, string | Buffer, string]>([
    ["empty", "", "the file is empty; write into it, or name another"],
    ["binary", "a\0b", "the file is not text in UTF-8; name a readable text file"],
    ["in another encoding", Buffer.from([0xe9]), "the file is not text in UTF-8"],
    ["too long", "x".repeat(16_001), "the file has 16001 characters, more than 16000"],
    ["far too long", "x".repeat(100_000), "the file has 100000 bytes, more than the 16000 characters allowed"],
  ])("is refused when %s", async (_name, content, message) => {
    folder.put("prompt.md", content);
    const lines = await folder.refusalOf(inFile("prompt.md"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^manifest\.json:\d+:\d+: tasks\[0\]\.promptFile: .* \(found "prompt\.md"\)/);
    expect(lines[0]?.replace(' (found "prompt.md")', "")).toContain(message);
  });

  test("is refused when missing, a folder, or a link to itself", async () => {
    symlinkSync("loop", folder.path("loop"));
    const [missing] = await folder.refusalOf(inFile("none.md"));
    expect(missing).toContain('there is no such file (found "none.md"); name a readable text file');
    expect((await folder.refusalOf(inFile(".")))[0]).toContain("this is a folder, not a file");
    expect((await folder.refusalOf(inFile("loop")))[0]).toContain("the file cannot be read (ELOOP)");
  });

  test("may have as many characters as one in the manifest, of any width", async () => {
    folder.put("prompt.md", "€".repeat(16_000));
    folder.put("oracle.mjs", `\ufeff${"€".repeat(24_000)}`);
    const { manifest } = await folder.load(
      withTask({ prompt: undefined, promptFile: "prompt.md", oracle: undefined, oracleFile: "oracle.mjs" }),
    );
    expect(manifest.tasks[0]?.prompt).toBe("€".repeat(16_000));
    expect(manifest.tasks[0]?.oracle).toBe("€".repeat(24_000));
  });

  test("has its own limit where several tasks name it", async () => {
    folder.put("text", "x".repeat(20_000));
    const tasks = [
      { ...task, id: "a", oracle: undefined, oracleFile: "text" },
      { ...task, id: "b", prompt: undefined, promptFile: "./text" },
    ];
    expect(await folder.refusalOf({ ...documented, tasks })).toEqual([
      expect.stringContaining("tasks[1].promptFile: the file has 20000 characters, more than 16000"),
    ]);
  });
});

describe("a folder that a task names", () => {
  test("is a fixture with its bytes and executable bits, sorted", async () => {
    folder.put("f/b/c.txt", "c");
    folder.put("f/b.txt", Buffer.from([0, 255]));
    folder.put("f/Z", "");
    chmodSync(folder.put("f/run", "#!/bin/sh\n"), 0o700);
    chmodSync(folder.put("f/group", ""), 0o654);
    mkdirSync(folder.path("f/empty"));
    symlinkSync("f", folder.path("link"));
    const { manifest } = await folder.load(inFolder("link"));
    expect(manifest.tasks[0]?.files).toEqual([
      { path: "Z", content: Buffer.alloc(0), executable: false },
      { path: "b.txt", content: Buffer.from([0, 255]), executable: false },
      { path: "b/c.txt", content: Buffer.from("c"), executable: false },
      { path: "group", content: Buffer.alloc(0), executable: false },
      { path: "run", content: Buffer.from("#!/bin/sh\n"), executable: true },
    ]);
  });

  test("may hold 2,000 files, not more", async () => {
    mkdirSync(folder.path("f"));
    for (let index = 0; index < 2000; index++) writeFileSync(folder.path("f", `${index}`), "");
    expect((await folder.load(inFolder("f"))).manifest.tasks[0]?.files).toHaveLength(2000);
    folder.put("f/more", "");
    expect(await folder.refusalOf(inFolder("f"))).toEqual([
      expect.stringContaining('tasks[0].fixture: the folder holds over 2000 files (found "f")'),
    ]);
  });

  test("is refused when missing, a file, or without a file", async () => {
    folder.put("file", "");
    mkdirSync(folder.path("empty/inner"), { recursive: true });
    expect((await folder.refusalOf(inFolder("none")))[0]).toContain(
      'there is no such folder (found "none"); name a readable folder, relative to the manifest',
    );
    expect((await folder.refusalOf(inFolder("file")))[0]).toContain("the folder cannot be read (ENOTDIR)");
    expect((await folder.refusalOf(inFolder("empty")))[0]).toContain("the folder holds no file");
  });

  test("is refused by the name of each thing that cannot be part of it", async () => {
    folder.put("f/ok", "");
    folder.put("f/sub/.git", "gitdir: elsewhere");
    for (let index = 0; index < 50; index++) folder.put(`f/.git/objects/${index}`, "");
    symlinkSync("ok", folder.path("f/link"));
    symlinkSync("..", folder.path("f/up"));
    execFileSync("sh", ["-c", 'mkfifo "$0"', folder.path("f/pipe")]);
    folder.put("f/back\\slash", "");
    folder.put("f/line\nbreak:", "");
    const fix = "; take it out of the folder";
    const dotGit = "the path has a component .git, or one that some system takes for it";
    const odd = "the path holds a backslash, a colon or a NUL";
    const lines = await folder.refusalOf(inFolder("f"));
    expect(lines.map((line) => line.replace(/^manifest\.json:\d+:\d+: tasks\[0\]\.fixture: /, ""))).toEqual([
      `${dotGit} (found ".git")${fix}`,
      `${odd} (found "back\\\\slash")${fix}`,
      `${odd} (found "line\\nbreak:")${fix}`,
      `a symbolic link cannot be part of it (found "link")${fix}`,
      `a special file cannot be part of it (found "pipe")${fix}`,
      `${dotGit} (found "sub/.git")${fix}`,
      `a symbolic link cannot be part of it (found "up")${fix}`,
    ]);
  });

  test("is refused for a name that is not UTF-8", async () => {
    mkdirSync(folder.path("f"));
    writeFileSync(Buffer.concat([Buffer.from(folder.path("f/")), Buffer.from([0x61, 0xff])]), "");
    expect(await folder.refusalOf(inFolder("f"))).toEqual([expect.stringContaining("the name is not UTF-8")]);
  });

  test("is refused for too much in one file, and in all", async () => {
    folder.put("one/text", "x".repeat(64_001));
    folder.put("one/wide", "€".repeat(64_000));
    folder.put("one/binary", Buffer.alloc(64_001, 255));
    const lines = await folder.refusalOf(inFolder("one"));
    expect(lines.map((line) => line.replace(/.*fixture: /, ""))).toEqual([
      'the file has 64001 characters, more than 64000 (found "binary")',
      'the file has 64001 characters, more than 64000 (found "text")',
    ]);
    truncateSync(folder.put("all/huge", ""), 2 ** 40);
    expect(await folder.refusalOf(inFolder("all"))).toEqual([
      expect.stringContaining(`the files of the folder have ${2 ** 40} bytes, more than 1000000`),
    ]);
  });

  test("is refused without reading a whole disk", async () => {
    const lines = await folder.refusalOf(inFolder("/proc"));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(20);
  });

  test.skipIf(asRoot)("is refused where a file or folder in it is not to be read", async () => {
    chmodSync(folder.put("f/file", "x"), 0);
    folder.put("g/closed/file", "x");
    chmodSync(folder.path("g/closed"), 0o600);
    folder.put("h/closed/file", "x");
    chmodSync(folder.path("h/closed"), 0);
    const read = async (path: string) => (await folder.refusalOf(inFolder(path)))[0]?.replace(/.*fixture: /, "");
    const lines = [await read("f"), await read("g"), await read("h")];
    for (const path of ["g/closed", "h/closed"]) chmodSync(folder.path(path), 0o700);
    expect(lines).toEqual([
      'the file cannot be read (EACCES) (found "file")',
      'the file cannot be read (EACCES) (found "closed/file")',
      'the folder cannot be read (EACCES) (found "closed/")',
    ]);
  });

  test("is read once for all the tasks that name it", async () => {
    folder.put("f/a", "a");
    const tasks = ["x", "y"].map((id) => ({ ...task, id, files: undefined, fixture: id === "x" ? "f" : "./f/" }));
    const { manifest } = await folder.load({ ...documented, tasks });
    expect(manifest.tasks[0]?.files[0]?.content).toBe(manifest.tasks[1]?.files[0]?.content);
  });

  test("holds a solution under the same rules", async () => {
    folder.put("s/.git/config", "");
    expect(await folder.refusalOf(withTask({ solution: "s" }))).toEqual([
      expect.stringMatching(/tasks\[0\]\.solution: the path has a component \.git.* \(found "\.git"\)/),
    ]);
  });
});

test("paths are relative to the manifest's folder, not to the working directory", async () => {
  folder.put("inner/prompt.md", "inner");
  folder.put("prompt.md", "outer");
  const text = JSON.stringify(inFile("prompt.md"));
  expect((await loadManifest(folder.put("inner/m.json", text))).manifest.tasks[0]?.prompt).toBe("inner");
  expect((await loadManifest(folder.put("m.json", text))).manifest.tasks[0]?.prompt).toBe("outer");
});
