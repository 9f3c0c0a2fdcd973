import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { probeBubblewrap } from "../../src/process/bubblewrap.ts";

const folder = mkdtempSync(join(tmpdir(), "probe-"));
/** What this machine can do; where it cannot, the tests of sandboxes are skipped, but never in CI. */
export const bubblewrap = await probeBubblewrap({ PATH: process.env.PATH ?? "" }, folder);
rmSync(folder, { recursive: true, force: true });

/** What bwrap lacks on this machine; null where sandboxes can be tested. */
export const noSandbox = bubblewrap.unusable;
if (noSandbox !== null && process.env.CI !== undefined) throw new Error(`CI must test sandboxes: ${noSandbox}`);
