/** What one attempt asks of the CLI. */
export interface InvocationInput {
  /** argv of the CLI without arguments of its own. */
  command: readonly string[];
  /** The workspace: an absolute path. */
  root: string;
  /** `provider/model`. */
  model: string;
  sandbox: "read-only" | "workspace-write" | "full-access";
  prompt: string;
  /** ax-code's experimental flags; every name is present. */
  features: Readonly<Record<string, boolean>>;
  toolProfile?: string;
  /** Merged (RFC 7396) into the CLI's own configuration. */
  config?: Readonly<Record<string, unknown>>;
  autonomous?: boolean;
  /** The environment that the CLI would get without this module: never changed, only read. */
  env: Readonly<Record<string, string>>;
}

interface Invocation {
  argv: string[];
  /** The whole environment of the CLI. */
  env: Record<string, string>;
}

/** What the CLI's own events add up to. Counters are absent where not observed, never 0 for unknown. */
export interface AgentReport {
  metricsStatus: "observed" | "partial" | "unavailable";
  /** Tokens without cache reads, and without cache writes where the CLI tells them apart. */
  inputTokens?: number;
  /** Tokens without reasoning where the CLI tells them apart. */
  outputTokens?: number;
  reasoningTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  /** US dollars, as the CLI states it. */
  costUsd?: number;
  /** Model requests that ended. */
  steps?: number;
  /** Tool calls that ended. */
  toolCalls?: number;
  /** Of these, the ones in error. */
  toolErrors?: number;
  sessionID?: string;
  /** `provider`, with a colon and the HTTP status where the events state it: why the run could not go well. */
  fault?: string;
  /** The events say that the run failed although the CLI exited 0. */
  selfReportedFailure: boolean;
}

/** Reads one run's events. Holds counters, never the text of an event. */
export interface EventReader {
  /** One line of standard output, without its line end. */
  line(text: string): void;
  /** A line that could not be read: too long, or not UTF-8. */
  damaged(): void;
  /** @param whole false when the stream was cut: a time-out, a cancellation, or output that could not be read to its end. */
  report(whole: boolean): AgentReport;
}

/** One coding-agent CLI. */
export interface Agent {
  name: string;
  /** argv where the manifest names no command. */
  defaultCommand: readonly string[];
  /** argv (after the command) that prints the version on standard output; absent where the CLI has none. */
  versionArguments?: readonly string[];
  /** Variables that `invoke` sets or drops whatever the environment holds, so an arm's own `env` may not name them. */
  reservedVariables: readonly string[];
  /** Variables that name folders which the CLI writes, beside HOME and the like; absent where it has none. */
  homeVariables?: readonly string[];
  /** @throws InputError for input that `refuses` names. */
  invoke(input: InvocationInput): Invocation;
  reader(): EventReader;
  /**
   * Why this CLI cannot carry out what the manifest asks, one clause each; empty when it can.
   * A wrong invocation would fake a null result, so these are refused before the first attempt.
   */
  refuses(input: Omit<InvocationInput, "root">): string[];
  /** Whether the CLI puts its tools into sandboxes of its own; absent where it has none. */
  sandboxesTools?(sandbox: InvocationInput["sandbox"]): boolean;
  /** Whether the work runs in child sessions, whose usage the events do not hold; absent where the CLI has none. */
  usesChildSessions?(input: Pick<InvocationInput, "prompt" | "config">): boolean;
}
