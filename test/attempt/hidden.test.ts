import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { hiddenAround, readableFor } from "../../src/attempt/hidden.ts";
import { scratch } from "../cli/program.ts";

/** Files below a folder of their own; a path that ends with `/` is a folder. */
function laidOut(...paths: string[]): string {
  const root = realpathSync(scratch());
  for (const path of paths) {
    mkdirSync(path.endsWith("/") ? join(root, path) : dirname(join(root, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(root, path), "");
  }
  return root;
}

const nothing = { homes: [], exposed: [] };

test("the repository around a secret is hidden, since its history may hold the secret too", () => {
  const root = laidOut("project/.git/", "project/evaluation/manifest.json", "project/oracles/");
  const secrets = [join(root, "project/evaluation/manifest.json"), join(root, "project/oracles")];
  expect(hiddenAround(secrets, nothing)).toEqual([{ path: join(root, "project"), kind: "folder" }]);
});

test("without a repository it is the folder of the secret", () => {
  const root = laidOut("evaluation/manifest.json", "other/");
  const secrets = [join(root, "evaluation/manifest.json"), join(root, "is/not/there")];
  expect(hiddenAround(secrets, nothing)).toEqual([{ path: join(root, "evaluation"), kind: "folder" }]);
});

test("where HOME or what is exposed lies in that, the file and the history are hidden alone", () => {
  const root = laidOut(".git/", "manifest.json", "home/");
  const alone = [
    { path: join(root, "manifest.json"), kind: "file" },
    { path: join(root, ".git"), kind: "folder" },
  ];
  const secrets = [join(root, "manifest.json")];
  expect(hiddenAround(secrets, { homes: [join(root, "home")], exposed: [] })).toEqual(alone);
  expect(hiddenAround(secrets, { homes: [], exposed: [root] })).toEqual(alone);
  // What is exposed inside a hidden folder does not keep the rest of it from being hidden.
  const inside = { homes: [], exposed: [join(root, "home")] };
  expect(hiddenAround(secrets, inside)).toEqual([{ path: root, kind: "folder" }]);
});

test("a system folder is never hidden as a whole", () => {
  expect(hiddenAround(["/etc/hostname"], nothing)).toEqual([{ path: "/etc/hostname", kind: "file" }]);
});

test("a secret behind a link is hidden where it really is", () => {
  const root = laidOut("real/oracle.mjs", "seen/");
  symlinkSync(join(root, "real/oracle.mjs"), join(root, "seen/oracle.mjs"));
  expect(hiddenAround([join(root, "seen/oracle.mjs")], nothing)).toEqual([
    { path: join(root, "real"), kind: "folder" },
  ]);
});

test("of a program in what is hidden its packages are readable, else its folder, else the file alone", () => {
  const root = laidOut("p/.git/", "p/manifest.json", "p/node_modules/cli/dist/cli.js", "p/bin/agent", "p/agent");
  const secrets = [join(root, "p/manifest.json")];
  const hidden = hiddenAround(secrets, nothing);
  const shown = (path: string): string[] => readableFor(join(root, path), hidden, secrets);
  expect(shown("p/node_modules/cli/dist/cli.js")).toEqual([join(root, "p/node_modules")]);
  expect(shown("p/bin/agent")).toEqual([join(root, "p/bin")]);
  expect(shown("p/agent")).toEqual([join(root, "p/agent")]);
  expect(readableFor("/bin/sh", hidden, secrets)).toEqual([]);
});
