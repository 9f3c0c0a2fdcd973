/** A file of a fixture or of an arm, as bytes. */
export interface FixtureFile {
  /** Relative, `/`-separated; docs/manifest.md has the rules. A list of files is sorted by it, in UTF-16 order. */
  path: string;
  content: Uint8Array;
  /** Mode 755 instead of 644. */
  executable: boolean;
}

/** Every CLI that `agent` can name. */
export const agentNames = ["ax-code", "opencode", "pi"] as const;
export type AgentName = (typeof agentNames)[number];

/** argv of an agent's own binary, which is the one that `command` defaults to. */
export function ownCommand(agent: AgentName): [string] {
  return [agent];
}

export const featureNames = ["context_recovery", "mcp_tool_discovery", "tail_reminders", "read_only_recipes"] as const;
export type FeatureName = (typeof featureNames)[number];

export const toolProfiles = ["full", "core", "coding"] as const;
type ToolProfile = (typeof toolProfiles)[number];

export const sandboxes = ["read-only", "workspace-write", "full-access"] as const;
type Sandbox = (typeof sandboxes)[number];

export const homes = ["inherit", "fresh", "cohort"] as const;
/** Where the agent's HOME and XDG folders lie: the operator's own, a new tree per attempt, or one for the cohort. */
type Home = (typeof homes)[number];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface ResolvedArm {
  name: string;
  role: "baseline" | "candidate";
  /** argv without the invocation's own arguments, a program with a slash is absolute; empty for the agent's own. */
  command: string[];
  /** Whether the manifest names another command than the agent's own. */
  commandGiven: boolean;
  features: Record<FeatureName, boolean>;
  toolProfile?: ToolProfile;
  /** Merged (RFC 7396) into the CLI's own configuration. */
  config?: JsonObject;
  env: Record<string, string>;
  sandbox: Sandbox;
  /** Laid over the work tree, over the common commit, excluded from status and diff. */
  files: FixtureFile[];
  autonomous?: boolean;
  /** Holds `{prompt}` exactly once. */
  promptTemplate?: string;
}

export interface ResolvedTask {
  id: string;
  prompt: string;
  files: FixtureFile[];
  /** JavaScript source of an ES module. */
  oracle: string;
  /** Milliseconds. */
  oracleTimeoutMs: number;
  /** Milliseconds. */
  timeoutMs: number;
  /** Commands (argv) run in the workspace, without a shell, before the clock starts. */
  setup: string[][];
  /** Files laid over the fixture that must make the oracle pass. */
  solution: FixtureFile[];
  tags: string[];
  /** Globs, sorted; absent where nothing is protected. */
  protected?: string[];
}

/** A manifest with defaults applied and every file that it names read. */
export interface ResolvedManifest {
  /** As the user gave it. */
  path: string;
  name?: string;
  description?: string;
  agent: AgentName;
  /** `provider/model`. */
  model: string;
  runtimeRevision: string;
  repetitions: number;
  home: Home;
  /** Sorted names; absent: the agent inherits everything. */
  passEnv?: string[];
  /** The smallest loss of success that would matter, 0-1, declared beforehand. */
  margin?: number;
  /** `none`: the agent and the oracle reach no network; absent: that of the machine. */
  network?: "none";
  /** Absolute paths of the manifest and of every file and folder that its tasks name. */
  namedPaths: string[];
  /** `[baseline, candidate]`. */
  arms: [ResolvedArm, ResolvedArm];
  tasks: ResolvedTask[];
  /** SHA-256 of the canonical JSON of the resolved manifest, 64 hexadecimal digits. */
  cohort: string;
}
