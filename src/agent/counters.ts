import type { AgentReport } from "./agent.ts";

const usageNames = [
  "inputTokens",
  "outputTokens",
  "reasoningTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "costUsd",
] as const;

/** What one model request used; a counter that the CLI did not tell is absent. Valid numbers, not negative. */
export type Usage = Partial<Record<(typeof usageNames)[number], number>>;

/** CLIs print 0 here also when the provider told them nothing or when they know no price, so a total of 0 is unknown. */
const unknownAtZero: ReadonlySet<string> = new Set(["cacheWriteTokens", "costUsd"]);

/** Most part ids that are remembered, about 15 MB: more than one a second for a day. */
const mostParts = 100_000;

/** Adds up what the events of one run say. */
export interface Counters {
  /** @param part id of the event's part; without one, the CLI states each request once. */
  step(usage: Usage, part?: string): void;
  /** A tool call that ended. */
  tool(failed: boolean, part?: string): void;
  /** Something that cannot be relied on was printed. */
  damage(): void;
  /** The first value that looks like an id is kept; anything else is ignored, since output could hold anything. */
  session(id: unknown): void;
  /** @param whole false when the stream was cut. */
  report(whole: boolean): Omit<AgentReport, "selfReportedFailure">;
}

/**
 * The documented rules: equal repeats of a part count once; a differing repeat, damage or a cut stream withholds every
 * total (`partial`); where nothing was observed, the metrics are `unavailable`. Memory is bounded.
 */
export function createCounters(): Counters {
  const parts = new Map<string, string>();
  /** null once a step did not tell this counter. */
  const totals = new Map<keyof Usage, number | null>();
  let steps = 0;
  let toolCalls = 0;
  let toolErrors = 0;
  let damaged = false;
  let sessionID: string | undefined;

  /** @param counted the counted fields, as text. */
  function isFirst(part: string, counted: string): boolean {
    const before = parts.get(part);
    if (before === undefined && parts.size < mostParts) {
      // After damage every total is withheld, so nothing needs to be told apart.
      if (!damaged) parts.set(part, counted);
      return true;
    }
    if (before !== counted) damage();
    return false;
  }

  function damage(): void {
    damaged = true;
    parts.clear();
  }

  return {
    step(usage, part) {
      if (part !== undefined && !isFirst(part, usageNames.map((name) => usage[name]).join())) return;
      steps += 1;
      for (const name of usageNames) {
        const before = totals.get(name);
        const added = usage[name];
        const total = before === null || added === undefined ? null : (before ?? 0) + added;
        if (total !== null && total > Number.MAX_SAFE_INTEGER) damage();
        totals.set(name, total);
      }
    },
    tool(failed, part) {
      if (part !== undefined && !isFirst(part, failed ? "error" : "completed")) return;
      toolCalls += 1;
      if (failed) toolErrors += 1;
    },
    damage,
    session(id) {
      if (sessionID === undefined && typeof id === "string" && /^[\w.:-]{1,300}$/.test(id)) sessionID = id;
    },
    report(whole) {
      const session = sessionID === undefined ? {} : { sessionID };
      if (steps + toolCalls === 0) return { metricsStatus: "unavailable", ...session };
      if (damaged || !whole) return { metricsStatus: "partial", ...session };
      return {
        metricsStatus: "observed",
        ...known(totals),
        ...(steps === 0 ? {} : { steps }),
        toolCalls,
        toolErrors,
        ...session,
      };
    },
  };
}

function known(totals: ReadonlyMap<keyof Usage, number | null>): Usage {
  const usage: Usage = {};
  for (const [name, total] of totals) {
    if (total === null || (total === 0 && unknownAtZero.has(name))) continue;
    // Binary addition of prices leaves noise far below a billionth of a cent.
    usage[name] = name === "costUsd" ? Number(total.toFixed(12)) : total;
  }
  return usage;
}
