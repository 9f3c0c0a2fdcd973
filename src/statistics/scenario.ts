import type { Generator } from "./generator.ts";
import type { BinaryTask } from "./paired-counts.ts";

/** A population of tasks to draw cohorts from, whose true difference is known exactly. */
export interface Scenario {
  tasks: number;
  repetitions: number;
  /** Mean success rate of the baseline over tasks, above 0 and below 1. */
  baselineRate: number;
  /** True mean difference, candidate minus baseline. */
  difference: number;
  /** Correlation of a task's repetitions in the baseline, from 0 (tasks alike) to 1 (a task always or never passes). */
  clustering: number;
  /** How strongly a task that the candidate changes is changed: it moves this share of the way to always (or never) passing. */
  strength: number;
  /** Share of tasks that would be changed at no true difference, in both directions so that the mean stays: heterogeneity. */
  heterogeneity: number;
  /** Chance that both attempts of a pair share their luck. */
  pairing: number;
}

/** Shares of tasks that the candidate helps and harms. Both moves cancel in the mean except for `difference`. */
function shares({ baselineRate: p, difference, strength, heterogeneity }: Scenario): {
  helped: number;
  harmed: number;
} {
  const helped = heterogeneity * p + Math.max(0, difference) / ((1 - p) * strength);
  const harmed = heterogeneity * (1 - p) + Math.max(0, -difference) / (p * strength);
  return { helped, harmed };
}

/** False where the candidate would have to change more tasks than there are to make the difference. */
export function isPossible(scenario: Scenario): boolean {
  const { helped, harmed } = shares(scenario);
  return helped + harmed <= 1 + 1e-12;
}

/** One cohort drawn from the population: every task anew, then its pairs. */
export function drawCohort(scenario: Scenario, random: Generator): BinaryTask[] {
  const { helped, harmed } = shares(scenario);
  return Array.from({ length: scenario.tasks }, () => {
    const baselineRate = drawRate(scenario.baselineRate, scenario.clustering, random);
    const fate = random();
    let candidateRate = baselineRate;
    if (fate < helped) candidateRate += (1 - baselineRate) * scenario.strength;
    else if (fate < helped + harmed) candidateRate -= baselineRate * scenario.strength;
    const baseline: boolean[] = [];
    const candidate: boolean[] = [];
    for (let repetition = 0; repetition < scenario.repetitions; repetition += 1) {
      const luck = random();
      baseline.push(luck < baselineRate);
      candidate.push((random() < scenario.pairing ? luck : random()) < candidateRate);
    }
    return { baseline, candidate };
  });
}

/** A task's rate: beta distributed with the given mean, and with the variance that makes its repetitions so correlated. */
function drawRate(mean: number, clustering: number, random: Generator): number {
  if (clustering <= 0) return mean;
  if (clustering >= 1) return random() < mean ? 1 : 0;
  const precision = 1 / clustering - 1;
  const passes = drawGamma(mean * precision, random);
  const fails = drawGamma((1 - mean) * precision, random);
  return passes / (passes + fails);
}

/** A gamma variate of the given shape and scale 1 (Marsaglia and Tsang 2000, with their boost for shapes below 1). */
function drawGamma(shape: number, random: Generator): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = drawNormal(random);
    const v = (1 + c * z) ** 3;
    if (v > 0 && Math.log(1 - random()) < (z * z) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

function drawNormal(random: Generator): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
