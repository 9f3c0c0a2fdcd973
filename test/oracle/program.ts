import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runOracle } from "../../src/oracle/run.ts";

/** Judges a workspace that holds one module, `code.mjs`, by an oracle. */
export async function judge(oracle: string, code = "", timeoutMs = 20_000) {
  const root = mkdtempSync(join(tmpdir(), "judge-"));
  try {
    const [workspace, folder] = [join(root, "workspace"), join(root, "folder")];
    mkdirSync(workspace);
    mkdirSync(folder);
    writeFileSync(join(workspace, "code.mjs"), code);
    writeFileSync(join(workspace, "code.cjs"), "module.exports = { answer: 42 };\n");
    const { PATH: path = "" } = process.env;
    return (await runOracle({ source: oracle, workspace, timeoutMs, folder, path })).verdict;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** How an oracle loads the module under judgement. */
export const load = `const code = await import(new URL("code.mjs", "file://" + process.argv[1] + "/"));\n`;
