import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProcessSpec } from "../../src/process/process.ts";
import { runProcess } from "../../src/process/run.ts";
import { sandboxArguments, type Sandbox } from "../../src/process/sandbox.ts";
import { bubblewrap, noSandbox } from "./bubblewrap.ts";

/** Outside of the folders for temporary files, which are another place inside. */
const outside = "/usr/local";
let folder: string;
let work: string;
let temporary: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-"));
  work = join(folder, "work");
  temporary = join(folder, "temporary");
  [work, temporary].forEach((path) => mkdirSync(path));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function sandboxOf(changes: Partial<Sandbox> = {}): Sandbox {
  const program = bubblewrap.program ?? "";
  const common = { hidden: [], readable: [], network: true, nesting: false };
  return { program, writable: [work], temporary, ...common, ...changes };
}

async function inside(script: string, sandbox: Partial<Sandbox> = {}, changes: Partial<ProcessSpec> = {}) {
  const chunks: Uint8Array[] = [];
  const end = await runProcess({
    argv: ["/bin/sh", "-c", script],
    cwd: work,
    env: { PATH: process.env.PATH ?? "", SECRET_VALUE: "from-the-environment" },
    timeoutMs: 20_000,
    sandbox: sandboxOf(sandbox),
    onOutput: (chunk) => void chunks.push(chunk),
    ...changes,
  });
  return { ...end, output: Buffer.concat(chunks).toString("utf8").trim() };
}

describe.skipIf(noSandbox !== null)("in a sandbox", () => {
  test("a program ends as it ends, told as exit code", async () => {
    expect(await inside("exit 7")).toMatchObject({ exitCode: 7, signal: null, spawnError: null, gone: true });
    expect(await inside("kill -KILL $$")).toMatchObject({ exitCode: 137, spawnError: null });
    expect(await inside("", {}, { argv: ["no-such-program"] })).toMatchObject({ spawnError: "ENOENT" });
    const unmountable = { writable: [work], readable: [join(folder, "is-not-there")] };
    expect(await inside("exit 0", unmountable)).toMatchObject({ spawnError: "ESANDBOX", gone: true });
  });

  test("arguments, descriptor 3 and descriptor 4 arrive as they are", async () => {
    const odd = ["-x", "--", "a b", `"'\``, "$HOME $(id)", "line\nline", "", "*"];
    const script = `const fs = require("node:fs");
      fs.writeSync(4, fs.readFileSync(3));
      console.log(JSON.stringify(process.argv.slice(1)))`;
    const argv = [process.execPath, "-e", script, "--", ...odd];
    const { output, result } = await inside("", {}, { argv, input: "given", resultBytes: 10 });
    expect(JSON.parse(output)).toEqual(odd);
    expect(Buffer.from(result ?? []).toString("utf8")).toBe("given");
    const list = 'for fd in /proc/$$/fd/*; do echo "${fd##*/}"; done';
    expect((await inside(list)).output).toBe((await inside(list, {}, { sandbox: undefined })).output);
  });

  test("the system is there to read, and only the given folders to write", async () => {
    const { output } = await inside(`touch /usr/x /etc/x "${folder}/x" /x 2>/dev/null; echo ok > here && cat here`);
    expect(output).toBe("ok");
    expect(readFileSync(join(work, "here"), "utf8")).toBe("ok\n");
    expect(["/usr/x", "/etc/x", "/x", join(folder, "x")].filter((path) => existsSync(path))).toEqual([]);
  });

  test("folders for temporary files are its own, and gone for no one else", async () => {
    const { output } = await inside("ls /tmp; echo mine > /tmp/mine; cat /var/tmp/mine");
    // The work folder lies in one of them.
    expect(output.split("\n")).toEqual([expect.stringMatching(/^sandbox-/), "mine"]);
    expect(existsSync(join(temporary, "mine"))).toBe(true);
  });

  test("what is hidden is empty or cannot be opened, and what lies in it may be readable or writable all the same", async () => {
    const root = mkdtempSync(join(outside, "hidden-"));
    try {
      const [secret, shown, home] = ["secret", "shown", "home"].map((name) => join(root, "folder", name));
      [secret, shown, home].forEach((path) => mkdirSync(path ?? "", { recursive: true }));
      writeFileSync(join(secret ?? "", "oracle.mjs"), "the answer");
      writeFileSync(join(root, "file"), "the answer");
      writeFileSync(join(shown ?? "", "tool"), "a tool");
      chmodSync(root, 0o755);
      const hidden = [
        { path: join(root, "folder"), kind: "folder" as const },
        { path: join(root, "file"), kind: "file" as const },
      ];
      const { output } = await inside(
        `ls "${root}/folder"; cat "${shown}/tool"; echo; cat "${root}/file"; echo "code $?"; grep -r "the answer" "${root}"; echo x > "${shown}/x"`,
        { hidden, readable: [shown ?? ""], writable: [work, home ?? ""] },
      );
      expect(output.split("\n")).toEqual(["home", "shown", "a tool", "code 1"]);
      expect(existsSync(join(shown ?? "", "x"))).toBe(false);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test("a link to a hidden file leads to nothing", async () => {
    writeFileSync(join(folder, "oracle"), "the answer");
    symlinkSync(join(folder, "oracle"), join(work, "link"));
    expect((await inside("cat link")).output).toBe("");
  });

  test("no process outside can be seen, signalled or read; its own list of processes holds no secret of the runner", async () => {
    const bystander = spawn("sleep", ["60"], { env: { PATH: "/usr/bin:/bin", BYSTANDER: "secret-of-bystander" } });
    try {
      writeFileSync(join(work, "patterns"), `${temporary}\n${join(outside, "bin")}\n`);
      const { output } = await inside(
        `kill -0 ${bystander.pid} ${process.pid} 2>/dev/null && echo signalled
         cat /proc/*/cmdline | tr '\\0' '\\n' | grep -c -f patterns
         cat /proc/*/environ /proc/${bystander.pid}/environ 2>/dev/null | grep -c secret-of-bystander
         ls /proc | grep -c "^[0-9]"`,
        { hidden: [{ path: join(outside, "bin"), kind: "folder" }] },
      );
      const counts = output.split("\n");
      expect(counts.slice(0, 2)).toEqual(["0", "0"]);
      expect(Number(counts[2])).toBeLessThan(8);
    } finally {
      bystander.kill("SIGKILL");
    }
  });

  test("there is no privilege, and no user namespace to gain one in", async () => {
    const { output } = await inside(
      "grep -i -e capeff -e capbnd -e nonewprivs /proc/self/status; unshare -U true; echo $?",
    );
    expect(output).toMatch(/CapEff:\s+0+\n/);
    expect(output).toMatch(/NoNewPrivs:\s+1/);
    expect(output.split("\n").at(-1)).not.toBe("0");
    expect((await inside("unshare -U true; echo $?", { nesting: true })).output).toBe("0");
  });

  test("without a network not even this machine can be reached", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const script = `require("node:net").connect(${port}, "127.0.0.1").on("data", (data) => console.log(String(data))).on("error", (error) => console.log(error.code))`;
    const argv = [process.execPath, "-e", script];
    try {
      expect((await inside("", {}, { argv })).output).toBe("reached");
      expect((await inside("", { network: false }, { argv })).output).toBe("ECONNREFUSED");
    } finally {
      server.close();
    }
  });

  test("whatever a program leaves behind ends with it, daemons without a trace of it too, and is counted", async () => {
    const left = join(work, "left");
    const daemon = `env -i setsid sh -c 'while :; do /bin/date >> "${left}"; /bin/sleep 0.05; done'`;
    const end = await inside(`(${daemon} &) ; (${daemon} &); /bin/sleep 0.3`);
    expect(end).toMatchObject({ exitCode: 0, gone: true });
    expect(end.leftoverProcesses).toBeGreaterThanOrEqual(2);
    const size = readFileSync(left).length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(readFileSync(left).length).toBe(size);
  });

  test("one that hears no signal is ended at its limit, with all it started", async () => {
    const end = await inside(
      "trap '' TERM INT HUP; (trap '' TERM; setsid sleep 60 &) ; while :; do sleep 0.1; done",
      {},
      {
        timeoutMs: 500,
      },
    );
    expect(end).toMatchObject({ timedOut: true, gone: true });
    expect(end.elapsedMs).toBeLessThan(10_000);
  });

  test("one that is cancelled before or while it runs leaves nothing", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    expect(await inside("sleep 60", {}, { signal: controller.signal })).toMatchObject({ cancelled: true, gone: true });
  });

  test("the first process of the namespace cannot be killed from inside to get away", async () => {
    const end = await inside("kill -9 1; kill -9 -1; sleep 0.2; echo still here");
    expect(end).toMatchObject({ gone: true });
    expect(await inside("kill -9 $PPID; sleep 5")).toMatchObject({ gone: true, exitCode: 137 });
  });
});

test("a path is hidden once, by the outermost, and what lies deeper is mounted later", () => {
  const hidden = ["/opt/project", "/opt/project/oracles", "/opt/project/home/.secret"].map((path) => ({
    path,
    kind: "folder" as const,
  }));
  const list = sandboxArguments(
    { ...sandboxOf({ hidden, writable: [], readable: ["/usr/lib"] }), temporary: "/usr" },
    "/",
  );
  const hidings = list.flatMap((argument, index) => (argument === "--tmpfs" ? [list[index + 1]] : []));
  expect(hidings).toEqual(["/run", "/opt/project"]);
});
