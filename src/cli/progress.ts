import { Presets, SingleBar } from "cli-progress";
import type { CohortEvent } from "../attempt/cohort.ts";
import { outcomes } from "../record/schema.ts";
import type { Output } from "./io.ts";

/** Shows on standard error how a cohort goes. */
export interface Progress {
  onEvent: (event: CohortEvent) => void;
  /** @param line the last one: what was recorded. */
  end(line: string): void;
  /** Gives the terminal back; may be called more than once. */
  stop(): void;
}

/**
 * A bar on a terminal, plain lines elsewhere, warnings alone when quiet. What is counted is counted over both arms
 * together: a running result per arm would tempt to stop at a lucky moment.
 */
export function startProgress(stderr: Output, quiet: boolean): Progress {
  const say = (text: string): void => void stderr.write(`${text}\n`);
  if (quiet) return { onEvent: (event) => warn(event, say), end: () => undefined, stop: () => undefined };
  return stderr.isTTY === true ? barProgress(stderr, say) : lineProgress(say);
}

function warn(event: CohortEvent, say: (text: string) => void): void {
  if (event.kind === "warning") say(`warning: ${event.warning.message}`);
}

/** Attempts by the way they ended, as in `completed 5 (verified 3), timeout 1`. */
class Tally {
  private readonly counts = new Map<string, number>();
  private verified = 0;

  add(outcome: string, verified: boolean): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    if (verified) this.verified += 1;
  }

  text(): string {
    const parts = outcomes.flatMap((outcome) => {
      const count = this.counts.get(outcome);
      if (count === undefined) return [];
      return outcome === "completed" ? [`completed ${count} (verified ${this.verified})`] : [`${outcome} ${count}`];
    });
    return parts.length === 0 ? "no attempt yet" : parts.join(", ");
  }
}

function lineProgress(say: (text: string) => void): Progress {
  const tally = new Tally();
  let oracles = 0;
  let blocks = 0;
  let startedMs = 0;
  return {
    onEvent(event) {
      switch (event.kind) {
        case "checked":
          oracles = event.total;
          return;
        case "started":
          // Only now is it known: the checks go on to the last task and then refuse all that were found wanting.
          say(`${oracles} of ${oracles} oracles fail on their fixtures, as they must`);
          blocks = event.blocks;
          startedMs = Date.now();
          return;
        case "attempt":
          tally.add(event.run.outcome, event.run.verified);
          return;
        case "block": {
          const left = ((Date.now() - startedMs) / event.done) * (blocks - event.done);
          say(
            `block ${event.done}/${blocks} ${event.taskID} #${event.repetition}: ${tally.text()}; about ${duration(left)} left`,
          );
          return;
        }
        case "warning":
          warn(event, say);
      }
    },
    end: say,
    stop: () => undefined,
  };
}

function barProgress(stderr: Output, say: (text: string) => void): Progress {
  const tally = new Tally();
  const options = { stream: stderr as NodeJS.WriteStream, clearOnComplete: true, hideCursor: true, etaBuffer: 100 };
  const format = "{bar} {value}/{total} {unit} | {tally} | {left} left";
  const bar = new SingleBar({ ...options, format, barsize: 20, forceRedraw: true }, Presets.shades_classic);
  let startedMs = 0;
  let left = "?";
  const restart = (total: number, unit: string): void => {
    startedMs = Date.now();
    bar.start(total, 0, { unit, tally: "", left });
  };
  return {
    onEvent(event) {
      switch (event.kind) {
        case "checked":
          if (event.done === 1) restart(event.total, "oracles checked");
          bar.update(event.done);
          return;
        case "started":
          bar.stop();
          restart(event.blocks, "blocks");
          return;
        case "attempt":
          tally.add(event.run.outcome, event.run.verified);
          bar.update({ tally: tally.text() });
          return;
        case "block":
          left = duration(((Date.now() - startedMs) / event.done) * (bar.getTotal() - event.done));
          bar.update(event.done, { left });
          return;
        case "warning":
          warn(event, say);
      }
    },
    end(line) {
      bar.stop();
      say(line);
    },
    stop: () => bar.stop(),
  };
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
