/**
 * `npm run simulate [RUNS] [SEED]`: how often the shipped intervals hold the truth and how often the shipped test errs, on cohorts
 * drawn from populations whose true difference is known. Reproducible: the same arguments print the same table.
 */
import { seededGenerator } from "../src/statistics/generator.ts";
import { criticalZ } from "../src/statistics/normal.ts";
import { countPairs, type PairedCounts } from "../src/statistics/paired-counts.ts";
import { drawCohort, isPossible, type Scenario } from "../src/statistics/scenario.ts";
import { signFlipTest } from "../src/statistics/sign-flip.ts";
import { successDifference } from "../src/statistics/success-difference.ts";
import { successRate } from "../src/statistics/wilson.ts";

const level = 0.95;
const alpha = 0.05;
const [runs, seed] = [Number(process.argv[2] ?? 3000), Number(process.argv[3] ?? 1)];

/** How a true difference is spread over tasks. */
type Effect =
  /** Every task is changed a little. */
  | "even"
  /** Few tasks are changed much, all in one direction. */
  | "concentrated"
  /** Half of the tasks are changed much, in both directions. */
  | "mixed";

type Case = Scenario & { effect: Effect };

/** Every possible combination with T tasks. */
function grid(tasks: number): Case[] {
  const cases: Case[] = [];
  for (const repetitions of [1, 3, 5])
    for (const baselineRate of [0.2, 0.5, 0.9])
      for (const difference of [0, 0.1, -0.2])
        for (const clustering of [0.1, 0.6])
          for (const effect of ["even", "concentrated", "mixed"] as const) {
            // Without a difference nothing is there to be spread.
            if (difference === 0 && effect === "concentrated") continue;
            const room = difference < 0 ? baselineRate : 1 - baselineRate;
            const strength = effect === "even" && difference !== 0 ? Math.abs(difference) / room : 0.8;
            const heterogeneity = effect === "mixed" ? 0.5 : 0;
            const pairing = clustering === 0.1 ? 0.3 : 0;
            cases.push({
              tasks,
              repetitions,
              baselineRate,
              difference,
              clustering,
              strength,
              heterogeneity,
              pairing,
              effect,
            });
          }
  return cases.filter((one) => one.strength <= 1 + 1e-12 && isPossible(one));
}

/** Shares of the cohorts of one scenario. */
interface Outcome {
  scenario: Case;
  /** The interval of the difference holds the true difference. */
  difference: number;
  /** So does the interval that takes all pairs for independent. */
  pooledWald: number;
  /** The interval of the baseline's rate holds the true rate. */
  rate: number;
  /** The sign-flip test finds a difference. */
  rejected: number;
  /** A verdict of improved or regressed in the wrong direction, or in any where there is no difference. */
  wrongDirection: number;
}

/** Wald's interval of paired proportions, as if no two pairs shared a task. */
function pooledWald({ candidateOnly: b, baselineOnly: c, pairs: n }: PairedCounts): [number, number] {
  const half = (criticalZ(level) * Math.sqrt(b + c - (b - c) ** 2 / n)) / n;
  return [(b - c) / n - half, (b - c) / n + half];
}

function simulate(scenario: Case, scenarioSeed: number): Outcome {
  const random = seededGenerator(scenarioSeed);
  const truth = scenario.difference;
  let [difference, wald, rate, rejected, wrongDirection] = [0, 0, 0, 0, 0];
  for (let run = 0; run < runs; run += 1) {
    const cohort = drawCohort(scenario, random);
    const counts = countPairs(cohort);
    const { lower, upper } = successDifference(counts, level).interval!;
    const [waldLower, waldUpper] = pooledWald(counts);
    const arm = successRate(
      cohort.map((task) => task.baseline),
      level,
    ).interval!;
    const isRejected = signFlipTest(counts.sums, alpha).pValue! <= alpha;
    // The margin is for limits that are the truth itself, up to rounding.
    if (lower <= truth + 1e-12 && truth - 1e-12 <= upper) difference += 1;
    if (waldLower <= truth && truth <= waldUpper) wald += 1;
    if (arm.lower <= scenario.baselineRate && scenario.baselineRate <= arm.upper) rate += 1;
    if (isRejected) rejected += 1;
    if (isRejected && ((truth <= 0 && lower > 0) || (truth >= 0 && upper < 0))) wrongDirection += 1;
  }
  return {
    scenario,
    difference: difference / runs,
    pooledWald: wald / runs,
    rate: rate / runs,
    rejected: rejected / runs,
    wrongDirection: wrongDirection / runs,
  };
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const digits = (value: number) => value.toFixed(3).replace(/^0/, "");
const lowest = (values: number[]) => `${digits(mean(values))} / ${digits(Math.min(...values))}`;
const highest = (values: number[]) => `${digits(mean(values))} / ${digits(Math.max(...values))}`;

console.log(
  `${runs} cohorts a scenario, seed ${seed}; nominal coverage ${level}, nominal type I error ${alpha}; mean / worst\n`,
);
const headings = [
  "T",
  "scenarios",
  "difference, tasks changed alike",
  "difference, some tasks changed much",
  "pooled Wald, all",
  "baseline rate",
  "sign-flip error, arms exchangeable",
  "sign-flip error, arms equal only on average",
  "wrong verdict",
];
console.log(`| ${headings.join(" | ")} |`);
console.log(`| ${headings.map(() => "---:").join(" | ")} |`);
for (const tasks of [5, 10, 20, 50]) {
  const outcomes = grid(tasks).map((scenario, index) => simulate(scenario, seed * 1_000_003 + tasks * 1009 + index));
  const alike = outcomes.filter(({ scenario }) => scenario.effect === "even");
  const uneven = outcomes.filter(({ scenario }) => scenario.effect !== "even");
  const nulls = outcomes.filter(({ scenario }) => scenario.difference === 0);
  const exchangeable = nulls.filter(({ scenario }) => scenario.heterogeneity === 0);
  const average = nulls.filter(({ scenario }) => scenario.heterogeneity > 0);
  const cells = [
    tasks,
    outcomes.length,
    lowest(alike.map((outcome) => outcome.difference)),
    lowest(uneven.map((outcome) => outcome.difference)),
    lowest(outcomes.map((outcome) => outcome.pooledWald)),
    lowest(outcomes.map((outcome) => outcome.rate)),
    highest(exchangeable.map((outcome) => outcome.rejected)),
    highest(average.map((outcome) => outcome.rejected)),
    highest(outcomes.map((outcome) => outcome.wrongDirection)),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
