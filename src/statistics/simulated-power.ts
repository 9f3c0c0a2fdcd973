import type { Generator } from "./generator.ts";
import type { Interval } from "./interval.ts";
import { wilsonInterval } from "./wilson.ts";

/** How often a decision came out, with the uncertainty of the simulation itself. */
export interface SimulatedPower {
  power: number;
  runs: number;
  /** Of the simulation; more runs make it narrower. */
  interval: Interval;
}

/**
 * The share of simulated cohorts on which an analysis decides. It checks formulas against the analysis that really runs, and
 * answers for designs that have no formula.
 * @param draw makes one cohort
 * @param decides the analysis, true where it finds what it looks for
 * @param runs at least 1
 */
export function simulatedPower<Cohort>(
  draw: (random: Generator) => Cohort,
  decides: (cohort: Cohort) => boolean,
  random: Generator,
  runs: number,
): SimulatedPower {
  let decided = 0;
  for (let run = 0; run < runs; run += 1) if (decides(draw(random))) decided += 1;
  return { power: decided / runs, runs, interval: wilsonInterval(decided, runs, 0.95, "wilson") };
}
