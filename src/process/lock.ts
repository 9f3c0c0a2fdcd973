import { execa } from "execa";

/** Held until it is released, or until this process is gone, however it ends. */
export interface FileLock {
  release(): Promise<void>;
}

const conflict = 75;

/**
 * Takes the system's lock on a file, through flock(1): it belongs to a process, so that one that merely paused keeps it, and
 * nothing of it is left after a crash.
 * @returns `held` where another process has it, `unavailable` where the machine has no flock(1).
 */
export async function lockFile(path: string): Promise<FileLock | "held" | "unavailable"> {
  // `cat` ends when this process does, since the pipe to it closes then; in a session of its own, no Ctrl-C reaches it.
  const argv = ["--nonblock", "--conflict-exit-code", String(conflict), path, "sh", "-c", "echo held && exec cat"];
  const holder = execa("flock", argv, {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
  });
  const answered = new Promise<boolean>((resolve) => {
    holder.stdout.once("data", () => resolve(true));
    void holder.then(() => resolve(false));
  });
  if (await answered) {
    holder.unref();
    return {
      async release() {
        holder.ref();
        holder.stdin.end();
        await holder;
      },
    };
  }
  const { exitCode } = await holder;
  return exitCode === conflict ? "held" : "unavailable";
}
