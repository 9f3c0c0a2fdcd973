import { closeSync, readdirSync, readFileSync } from "node:fs";

const closedOnExec = 0o2000000;

/**
 * Closes what a shell opened for this process beside the three standard descriptors, as in `9>lock`, and what every program that
 * is started from here would otherwise be given. What this process opened itself stays.
 */
export function closeInherited(): void {
  for (const name of readable(() => readdirSync("/proc/self/fdinfo")) ?? []) {
    const information = readable(() => readFileSync(`/proc/self/fdinfo/${name}`, "utf8"));
    const flags = /^flags:\s*([0-7]+)$/m.exec(information ?? "")?.[1];
    if (Number(name) < 3 || flags === undefined || (parseInt(flags, 8) & closedOnExec) !== 0) continue;
    readable(() => closeSync(Number(name)));
  }
}

function readable<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
