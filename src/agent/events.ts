import type { EventReader } from "./agent.ts";
import { createCounters, type Counters } from "./counters.ts";
import { isObject } from "./merge.ts";

/** One line of a CLI's JSON output. */
type Event = Readonly<Record<string, unknown>>;

/**
 * Reads output that holds one JSON object a line. Blank lines are nothing; any other line is damage.
 * @param onEvent counts what an event says; an event that it does not know is nothing.
 * @param state what the events so far say of the run: that it failed, and of a fault.
 */
export function eventReader(
  onEvent: (event: Event, counters: Counters) => void,
  state: () => { failed?: boolean; fault?: string } = () => ({}),
): EventReader {
  const counters = createCounters();
  return {
    line(text) {
      const trimmed = text.trim();
      if (trimmed === "") return;
      const event = trimmed.startsWith("{") && trimmed.endsWith("}") ? parseObject(text) : undefined;
      if (event === undefined) counters.damage();
      else onEvent(event, counters);
    },
    damaged() {
      counters.damage();
    },
    report(whole) {
      const { failed = false, fault } = state();
      return { ...counters.report(whole), ...(fault === undefined ? {} : { fault }), selfReportedFailure: failed };
    },
  };
}

function parseObject(text: string): Event | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Statuses with which a provider refuses or cannot answer; others are answers to a request that was wrong. */
export function providerFault(status: unknown): string | undefined {
  if (typeof status !== "number" || !Number.isInteger(status)) return undefined;
  const isFault = [401, 402, 403, 408, 429].includes(status) || (status >= 500 && status <= 599);
  return isFault ? `provider:${status}` : undefined;
}
