import { existsSync, mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Agent } from "../agent/agent.ts";
import type { ResolvedArm, ResolvedManifest } from "../manifest/resolved.ts";
import { InputError, type Warning } from "../problem.ts";
import { probeBubblewrap, type Bubblewrap } from "../process/bubblewrap.ts";
import { containmentName } from "../process/containment.ts";
import { findExecutable } from "../process/executable.ts";
import { runProcess } from "../process/run.ts";
import type { Sandbox } from "../process/sandbox.ts";
import { agentEnvironment } from "./environment.ts";
import { hiddenAround, outputFiles, readableFor } from "./hidden.ts";
import { commandOf } from "./session.ts";

export const containments = ["auto", "bwrap", "processes"] as const;
export type Containment = (typeof containments)[number];

/** How agents and oracles are kept from what is not theirs. */
export interface Confinement {
  /** As records name it. */
  name: string;
  warnings: Warning[];
  /** @param folder of the attempt, an existing one. */
  ofAgent(input: AgentPlace): Sandbox | undefined;
  /** @param folder of the oracle alone. */
  ofOracle(input: { folder: string; writable: readonly string[] }): Sandbox | undefined;
}

interface AgentPlace {
  folder: string;
  workspace: string;
  env: Readonly<Record<string, string>>;
  /** Absolute paths of the CLI's program, and of what its command names besides. */
  programs: readonly string[];
}

/** What the operator asks for. */
export interface ConfinementChoice {
  wanted: Containment;
  /** Absolute paths of what this command writes, which no agent may read. */
  written: readonly string[];
  /** Absolute paths that agents need although they lie beside what they may not see. */
  exposed: readonly string[];
}

export interface ConfinementInput extends ConfinementChoice {
  manifest: ResolvedManifest;
  agent: Agent;
  env: Readonly<Record<string, string>>;
  /** An empty folder of this process. */
  folder: string;
}

/** Where a program of the operator may keep what it needs to write. */
const homeVariables = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
const oracleFolder = fileURLToPath(new URL("../oracle", import.meta.url));

/**
 * Looks once at what this machine can do.
 * @throws InputError where that is less than was asked for.
 */
export async function openConfinement(input: ConfinementInput): Promise<Confinement> {
  const { manifest, env, wanted } = input;
  const nesting = manifest.arms.some((arm) => input.agent.sandboxesTools?.(arm.sandbox) === true);
  if (wanted === "processes") return withoutSandbox(input, "`--contain processes` asks for none");
  const bubblewrap = await probeBubblewrap(env, input.folder);
  if (bubblewrap.unusable !== null) return withoutSandbox(input, bubblewrap.unusable);
  const confined = inSandboxes(input, bubblewrap, nesting);
  if (!nesting || bubblewrap.unnestable === null) return confined;
  const reason = `${manifest.agent} sandboxes its tools itself, and in a sandbox that fails here`;
  const open = withoutSandbox(input, reason, nestingFix());
  return { ...open, ofOracle: (place) => confined.ofOracle(place) };
}

function nestingFix(): string {
  const orRun = process.getuid?.() === 0 ? "run as a user other than root, or " : "";
  return `${orRun}set \`sandbox\` to full-access, which this sandbox can stand for`;
}

function withoutSandbox(
  { manifest, wanted }: ConfinementInput,
  reason: string,
  fix = "see harness-eval doctor",
): Confinement {
  if (wanted === "bwrap")
    throw new InputError({ field: "--contain", value: wanted, message: `no sandbox: ${reason}`, fix });
  if (manifest.network === "none") {
    const message = `needs a sandbox, and there is none: ${reason}`;
    throw new InputError({ file: manifest.path, field: "network", value: "none", message, fix });
  }
  const message = `The agent runs without a sandbox (${reason}), so that one that wants to can read the oracles; ${fix}.`;
  return {
    name: containmentName(),
    warnings: wanted === "auto" ? [{ code: "containment-degraded", message }] : [],
    ofAgent: () => undefined,
    ofOracle: () => undefined,
  };
}

function inSandboxes(input: ConfinementInput, { program }: Bubblewrap, nesting: boolean): Confinement {
  const { manifest, agent, env, exposed } = input;
  const secrets = secretsOf(input);
  const homesIn = (given: Readonly<Record<string, string>>): string[] => foldersIn(given, agent.homeVariables ?? []);
  const homes = [...homesIn(env), ...manifest.arms.flatMap((arm) => homesIn(arm.env))];
  const hidden = hiddenAround(secrets, { homes, exposed });
  const network = manifest.network !== "none";
  const common = { program: program ?? "", hidden, network };
  return {
    name: ["bwrap", ...(nesting ? ["userns"] : []), ...(network ? [] : ["no-network"])].join("+"),
    warnings: [],
    ofAgent({ folder, workspace, env: own, programs }) {
      const temporary = newFolder(folder, "tmp");
      const readable = [...programs.flatMap((path) => readableFor(path, hidden, secrets)), ...exposed];
      return { ...common, nesting, temporary, readable, writable: [...homesIn(own), workspace] };
    },
    ofOracle({ folder, writable }) {
      const temporary = newFolder(folder, "tmp");
      const needed = [process.execPath, join(oracleFolder, "bootstrap.cjs")];
      const readable = needed.flatMap((path) => readableFor(path, hidden, secrets));
      return { ...common, nesting: true, temporary, readable, writable };
    },
  };
}

function secretsOf({ manifest, written }: ConfinementInput): string[] {
  return [...manifest.namedPaths, ...written, ...outputFiles()];
}

/** Existing folders; never the whole machine. */
function foldersIn(env: Readonly<Record<string, string>>, more: readonly string[]): string[] {
  const paths = [...homeVariables, ...more].map((name) => env[name] ?? "");
  return [...new Set(paths.filter((path) => isAbsolute(path) && path !== "/" && existsSync(path)))];
}

function newFolder(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

const script = `
command -v "$1" >/dev/null 2>&1 || echo program
while IFS= read -r path; do
  if [ -f "$path" ] && [ -r "$path" ]; then echo secret; fi
done <&3`;

/**
 * Shows in a sandbox of each arm that its program is there and that no secret is.
 * @param folder an empty one of this process.
 * @throws InputError naming the arm where that is not so.
 */
export async function checkConfinement(confinement: Confinement, input: ConfinementInput): Promise<void> {
  const { manifest, agent, env, folder } = input;
  for (const [index, arm] of manifest.arms.entries()) {
    const at = { file: manifest.path, field: `arms[${index}]`, value: arm.name };
    const seen = agentEnvironment({ inherited: env, passEnv: manifest.passEnv, added: arm.env, workspace: folder });
    const programs = await programsOf(agent, arm, seen);
    const [program = ""] = programs;
    const sandbox = confinement.ofAgent({ folder, workspace: newFolder(folder, "probed"), env: seen, programs });
    if (sandbox === undefined) return;
    let found = "";
    const end = await runProcess({
      argv: ["/bin/sh", "-c", script, "sh", program],
      cwd: join(folder, "probed"),
      env: seen,
      timeoutMs: 10_000,
      input: secretsOf(input)
        .map((path) => `${path}\n`)
        .join(""),
      sandbox,
      onOutput: (chunk) => void (found = (found + Buffer.from(chunk).toString("latin1")).slice(0, 100)),
    });
    if (end.exitCode !== 0 && end.exitCode !== 1) {
      const message = `its sandbox cannot be made (${end.spawnError ?? (end.timedOut ? "time-out" : `exit code ${end.exitCode}`)})`;
      throw new InputError({ ...at, message, fix: "choose --contain processes, or see harness-eval doctor" });
    }
    if (found.includes("program")) {
      const message = "the program cannot be seen in the sandbox, since it lies beside the manifest";
      throw new InputError({ ...at, message, fix: "name its folder with --expose, or install it elsewhere" });
    }
    if (found.includes("secret")) {
      const message = "the sandbox would show the agent the manifest, an oracle, a solution or the records";
      throw new InputError({ ...at, message, fix: "expose less, or move them out of the agent's HOME" });
    }
  }
}

/** Absolute paths of an arm's program, first, and of the files that its command names. */
export async function programsOf(
  agent: Agent,
  arm: ResolvedArm,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const [program = "", ...rest] = commandOf(agent, arm);
  const found = await findExecutable(program, env);
  return [found ?? program, ...rest.filter((argument) => isAbsolute(argument) && existsSync(argument))];
}
