import type { RunRecord } from "./schema.ts";

/** All tokens read or written, those from the cache included; undefined where they were not wholly observed. */
export function totalTokens(run: RunRecord): number | undefined {
  const { inputTokens, outputTokens, reasoningTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = run;
  if ((run.metricsStatus ?? "observed") !== "observed") return undefined;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return inputTokens + outputTokens + reasoningTokens + cacheReadTokens + cacheWriteTokens;
}
