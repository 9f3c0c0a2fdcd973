import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { findExecutable } from "./executable.ts";
import { sandboxArguments, type Sandbox } from "./sandbox.ts";

/** What bubblewrap can do on this machine. */
export interface Bubblewrap {
  /** Absolute path of bwrap; null where it is not on the PATH. */
  program: string | null;
  /** Why no sandbox can be made; null where one can. */
  unusable: string | null;
  /** Why a program in a sandbox cannot make one of its own, as CLIs do for their tools; null where it can. */
  unnestable: string | null;
}

const longestMs = 5000;

/**
 * Makes one sandbox, and one inside another.
 * @param folder an empty one of this process.
 */
export async function probeBubblewrap(env: Readonly<Record<string, string>>, folder: string): Promise<Bubblewrap> {
  const program = await findExecutable("bwrap", env);
  if (program === null)
    return { program, unusable: "bwrap is not on the PATH", unnestable: "bwrap is not on the PATH" };
  const temporary = join(folder, "probe");
  await mkdir(temporary, { recursive: true });
  const sandbox = { program, writable: [], hidden: [], readable: [], temporary, network: true };
  const inner = [program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--", "true"];
  const [unusable, unnestable] = await Promise.all([
    failureOf({ ...sandbox, nesting: false }, ["true"], env),
    failureOf({ ...sandbox, nesting: true }, inner, env),
  ]);
  return { program, unusable, unnestable };
}

async function failureOf(
  sandbox: Sandbox,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const result = await execa(sandbox.program, [...sandboxArguments(sandbox, "/"), "--", ...argv], {
    env: { PATH: env.PATH ?? "" },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    stdout: "ignore",
    timeout: longestMs,
    killSignal: "SIGKILL",
  });
  if (result.exitCode === 0) return null;
  // bwrap's own words, which hold nothing of ours.
  const [line = ""] = result.stderr.split("\n");
  return line.slice(0, 200).trim() || (result.timedOut ? "it does not come to an end" : "bwrap failed");
}
