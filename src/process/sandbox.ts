import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";

/** What a program may see and touch. The rest of the machine is there to read; no process outside is. All paths are absolute. */
export interface Sandbox {
  /** bwrap. */
  program: string;
  /** Folders that it may write, at their own paths. */
  writable: readonly string[];
  /** Folders that are empty for it, and files that it cannot open. */
  hidden: readonly Hidden[];
  /** Files and folders that it may read although they lie in a hidden folder. */
  readable: readonly string[];
  /** An existing folder that stands for the machine's folders for temporary files. */
  temporary: string;
  network: boolean;
  /** Whether it may make sandboxes of its own, which a user namespace allows. */
  nesting: boolean;
}

export interface Hidden {
  path: string;
  kind: "file" | "folder";
}

/** Root keeps no privilege inside, but would own what root owns outside; every system knows this user. */
const nobody = "65534";

interface Mount {
  path: string;
  arguments: string[];
  /** Nothing of the machine can be seen in it. */
  isBlank: boolean;
}

/**
 * The arguments of bwrap. A mount covers what lies in it and was mounted before, so the innermost come last.
 * @param folder working directory.
 */
export function sandboxArguments(sandbox: Sandbox, folder: string): string[] {
  const { network, nesting } = sandbox;
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", ...nameServers()],
    ...mounts(sandbox).flatMap((mount) => mount.arguments),
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"],
    ...(network ? [] : ["--unshare-net"]),
    ...(nesting ? [] : ["--disable-userns"]),
    ...(process.getuid?.() === 0 ? ["--uid", nobody, "--gid", nobody] : []),
    ...["--die-with-parent", "--new-session", "--chdir", folder],
  ];
}

function mounts({ writable, hidden, readable, temporary }: Sandbox): Mount[] {
  const bind = (path: string): Mount => ({ path, arguments: ["--bind", path, path], isBlank: false });
  const read = (path: string): Mount => ({ path, arguments: ["--ro-bind", path, path], isBlank: false });
  const blank = (path: string, ...mount: string[]): Mount => ({ path, arguments: [...mount, path], isBlank: true });
  const hide = ({ path, kind }: Hidden): Mount =>
    kind === "folder" ? blank(path, "--tmpfs") : blank(path, "--ro-bind", "/dev/null");
  const shown = [
    ...temporaryFolders().map((path) => blank(path, "--bind", temporary)),
    ...readable.map(read),
    ...[...new Set(writable.flatMap(realPath))].map(bind),
  ];
  const all = [...shown, ...hidden.map(hide)].sort((one, other) => depth(one.path) - depth(other.path));
  // What lies in a blank folder is hidden already, and mounting over it would show its name.
  return all.filter((mount) => {
    const around = all.filter(({ path }) => path !== mount.path && contains(path, mount.path)).at(-1);
    return shown.includes(mount) || around?.isBlank !== true;
  });
}

function depth(path: string): number {
  return path.split("/").length;
}

/** Whether `path` is `outer` or lies in it; both are absolute and without `.` and `..`. */
export function contains(outer: string, path: string): boolean {
  return outer === "/" || path === outer || path.startsWith(`${outer}/`);
}

/** Of the machine and of this process, without links. */
export function temporaryFolders(): string[] {
  return [...new Set(["/tmp", "/var/tmp", tmpdir()].flatMap(realPath))];
}

/** Many systems keep the addresses of their name servers in /run, which is otherwise full of sockets. */
function nameServers(): string[] {
  return realPath("/etc/resolv.conf").flatMap((path) => (contains("/run", path) ? ["--ro-bind", path, path] : []));
}

function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** What a wrapper inside the sandbox and bwrap itself tell. */
export interface SandboxReport {
  /** pid of the first process of the namespace, as seen from outside. */
  init: number | null;
  started: boolean;
  /** There is no such program inside. */
  missing: boolean;
  /** Processes that were still there when the program had ended; null when it did not end by itself. */
  leftovers: number | null;
}

/**
 * The command to run inside: starts `argv` as it is, then counts what it left, since the namespace ends with it. It survives
 * a signal to the program's group, to tell how the program ended.
 * @param descriptor to tell it on, which the program does not get.
 */
export function wrapped(argv: readonly string[], descriptor: number): string[] {
  const script = `
trap : TERM INT HUP
command -v "$1" >/dev/null 2>&1 || { echo '{"missing":true}' >&${descriptor}; exit 127; }
echo '{"started":true}' >&${descriptor}
"$@" ${descriptor}>&-
code=$?
left=0
for entry in /proc/[0-9]*; do
  case \${entry#/proc/} in 1|$$) continue;; esac
  while read -r key value rest; do
    case $key in State:) case $value in Z|X) ;; *) left=$((left + 1));; esac; break;; esac
  done 2>/dev/null <"$entry/status"
done 2>/dev/null
echo "{\\"leftovers\\":$left}" >&${descriptor}
exit $code`;
  return ["/bin/sh", "-c", script, "sh", ...argv];
}

/**
 * @param bwrap what bwrap wrote to its status descriptor.
 * @param wrapper what the wrapper wrote to its own: the sandbox's word, which decides nothing but a count.
 */
export function sandboxReport(bwrap: string, wrapper: string): SandboxReport {
  const number = (found: RegExpExecArray | null): number | null => (found === null ? null : Number(found[1]));
  return {
    init: number(/"child-pid": (\d+)/.exec(bwrap)),
    started: wrapper.startsWith('{"started":true}\n'),
    missing: wrapper.startsWith('{"missing":true}\n'),
    leftovers: number(/^\{"leftovers":(\d{1,9})\}$/m.exec(wrapper)),
  };
}
