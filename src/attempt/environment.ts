import { join } from "node:path";
import type { ResolvedManifest } from "../manifest/resolved.ts";
import type { Warning } from "../problem.ts";

/** What `passEnv` leaves besides the names it lists: enough to start a program and find its files. */
const smallBase = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TERM|TZ|TMPDIR)$/;

/** Inherited names that would lead the agent to another repository or folder than its workspace. */
const misleading = /^(GIT_.*|PWD|OLDPWD|INIT_CWD)$/;

export interface EnvironmentInput {
  inherited: Readonly<Record<string, string>>;
  /** Names to keep besides the small base; absent: everything is kept. */
  passEnv?: readonly string[];
  /** The arm's own variables; they win. */
  added: Readonly<Record<string, string>>;
  /** Absolute path of a new HOME; absent: the operator's own. */
  home?: string;
  /** Absolute path. */
  workspace: string;
}

/** The environment in which the CLI of one attempt starts. */
export function agentEnvironment(input: EnvironmentInput): Record<string, string> {
  const { inherited, passEnv, added, home, workspace } = input;
  const kept = Object.entries(inherited).filter(
    ([name]) => !misleading.test(name) && (passEnv === undefined || smallBase.test(name) || passEnv.includes(name)),
  );
  return {
    ...Object.fromEntries(kept),
    ...(home === undefined ? {} : homeVariables(home)),
    PWD: workspace,
    ...added,
  };
}

/** Names in `passEnv` that reach no arm, since nothing sets them. */
export function unsetVariables(
  { passEnv = [], arms }: Pick<ResolvedManifest, "passEnv" | "arms">,
  env: Readonly<Record<string, string>>,
): Warning[] {
  const unset = passEnv.filter((name) => env[name] === undefined && arms.every((arm) => arm.env[name] === undefined));
  return unset.map((name) => ({
    code: "variable-not-set",
    message: `\`passEnv\` names ${name}, which is not set here, so the agent does not get it.`,
  }));
}

function homeVariables(home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_RUNTIME_DIR: join(home, ".runtime"),
  };
}
