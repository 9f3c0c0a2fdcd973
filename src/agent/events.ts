import type { EventReader } from "./agent.ts";
import { createCounters, type Counters } from "./counters.ts";
import { isObject } from "./merge.ts";

/** One line of a CLI's JSON output. */
type Event = Readonly<Record<string, unknown>>;

/**
 * Reads output that holds one JSON object a line. Blank lines are nothing; any other line is damage.
 * @param onEvent counts what an event says; an event that it does not know is nothing.
 * @param failed whether the events so far say that the run failed.
 */
export function eventReader(
  onEvent: (event: Event, counters: Counters) => void,
  failed: () => boolean = () => false,
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
      return { ...counters.report(whole), selfReportedFailure: failed() };
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
