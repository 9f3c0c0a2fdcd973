import { readFileSync } from "node:fs";
import { median } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { betaQuantile } from "../../src/statistics/beta.ts";
import { binomialCdf } from "../../src/statistics/binomial.ts";
import { clusterVariance } from "../../src/statistics/design-effect.ts";
import { eValueOf, advanceEProcess, startEProcess } from "../../src/statistics/e-process.ts";
import { hodgesLehmann } from "../../src/statistics/hodges-lehmann.ts";
import { holm } from "../../src/statistics/holm.ts";
import { latencyRatio, logRatios } from "../../src/statistics/latency-ratio.ts";
import { mcnemarTest } from "../../src/statistics/mcnemar.ts";
import { normalCdf, normalQuantile } from "../../src/statistics/normal.ts";
import { nearestRankQuantile, quantileInterval } from "../../src/statistics/order-statistic.ts";
import { countPairs, type BinaryTask } from "../../src/statistics/paired-counts.ts";
import { averagePassAtK, passAtK, passHatK } from "../../src/statistics/pass-at-k.ts";
import { normalRequiredTasks, power, requiredTasks } from "../../src/statistics/power.ts";
import { signFlipTest } from "../../src/statistics/sign-flip.ts";
import {
  signedRankCdf,
  signedRankQuantile,
  signedRankStatistic,
  signedRankTest,
} from "../../src/statistics/signed-rank.ts";
import { tCdf, tQuantile } from "../../src/statistics/student-t.ts";
import { successDifference } from "../../src/statistics/success-difference.ts";
import { tangoInterval } from "../../src/statistics/tango.ts";
import { successRate, wilsonInterval } from "../../src/statistics/wilson.ts";

interface Entry {
  dataset: string;
  quantity: string;
  impl: string;
  inputs: Record<string, unknown>;
  value: unknown;
}

interface Reference {
  datasets: {
    bin: Record<string, { A: (0 | 1)[][]; B: (0 | 1)[][] }>;
    lat: Record<string, { msA: (number | null)[][]; msB: (number | null)[][] }>;
    q: Record<string, number[]>;
  };
  entries: Entry[];
}

const reference = JSON.parse(readFileSync(new URL("./reference.json", import.meta.url), "utf8")) as Reference;

function tasksOf(entry: Entry): BinaryTask[] {
  const { A, B } = reference.datasets.bin[entry.dataset]!;
  return A.map((baseline, task) => ({ baseline: baseline.map(Boolean), candidate: B[task]!.map(Boolean) }));
}

const countsOf = (entry: Entry) => countPairs(tasksOf(entry));
const armOf = (entry: Entry, arm: string) =>
  tasksOf(entry).map((task) => (arm === "A" ? task.baseline : task.candidate));
const ratiosOf = (entry: Entry) => {
  const { msA, msB } = reference.datasets.lat[entry.dataset]!;
  return logRatios(msA.map((baseline, task) => ({ baseline, candidate: msB[task]! })));
};
const sampleOf = (entry: Entry) => reference.datasets.q[entry.dataset]!;
const numbers = (entry: Entry, ...names: string[]) => names.map((name) => entry.inputs[name] as number);
const list = (entry: Entry, name: string) => entry.inputs[name] as number[];
const limits = (interval: { lower: number; upper: number } | null) => interval && [interval.lower, interval.upper];

/** The analyses, by quantity: each returns what its entry holds, or what a third function makes of it. */
const computed: [
  quantity: RegExp,
  compute: (entry: Entry, parts: string[]) => unknown,
  expected?: (value: unknown) => unknown,
][] = [
  [
    /^counts$/,
    (entry) => {
      const counts = countsOf(entry);
      const { both: a, candidateOnly: b, baselineOnly: c, neither: d, pairs: n, tasks: T, sums: S } = counts;
      const rateA = successRate(armOf(entry, "A"), 0.95).rate;
      const rateB = successRate(armOf(entry, "B"), 0.95).rate;
      return { a, b, c, d, n, T, S, rateA, rateB, difference: successDifference(counts, 0.95).estimate };
    },
  ],
  [
    /^wilson95_[AB]$/,
    (entry) => {
      const [x, n] = numbers(entry, "x", "n");
      return limits(wilsonInterval(x!, n!, 0.95, "wilson"));
    },
  ],
  [
    /^clopperPearson95_[AB]$/,
    // Not reported by the product, but its limits are beta quantiles.
    (entry) => {
      const [x, n] = numbers(entry, "x", "n") as [number, number];
      return [x === 0 ? 0 : betaQuantile(0.025, x, n - x + 1), x === n ? 1 : betaQuantile(0.975, x + 1, n - x)];
    },
  ],
  [
    /^deffWilson95_([AB])$/,
    (entry, [arm]) => {
      const result = successRate(armOf(entry, arm!), 0.95);
      const deff = result.designEffect!;
      return { deff, nEff: countsOf(entry).pairs / deff, ci95: limits(result.interval) };
    },
  ],
  [/^mcnemarExactP$/, (entry) => mcnemarTest(...discordant(entry), 0.05).pValue],
  [/^mcnemarMidP$/, (entry) => mcnemarTest(...discordant(entry), 0.05).midPValue],
  [
    /^tango(90|95)(_tol1e-7)?$/,
    (entry, [level]) => {
      const [b, c, n] = numbers(entry, "b", "c", "n") as [number, number, number];
      return limits(tangoInterval(b, c, n, Number(level) / 100, "tango"));
    },
  ],
  [
    /^clusterTango95$/,
    (entry) => {
      const { candidateOnly: b, baselineOnly: c, pairs: n } = countsOf(entry);
      const deff = successDifference(countsOf(entry), 0.95).designEffect!;
      return { deff, nEff: n / deff, ci95: limits(tangoInterval(b / deff, c / deff, n / deff, 0.95, "tango-cluster")) };
    },
  ],
  [/^clusterTangoEnvelope95_DEFAULT$/, (entry) => limits(successDifference(countsOf(entry), 0.95).interval)],
  [
    /^pairWeighted_CR1$/,
    (entry) => {
      const { estimate, standardError } = successDifference(countsOf(entry), 0.95);
      return { estimate, se: standardError };
    },
  ],
  [
    /^(millerClusteredSE_CR0|pairWeighted_CR0)$/,
    // The uncorrected sandwich is the corrected one without T/(T-1).
    (entry, [quantity]) => {
      const { sums, sizes, tasks } = countsOf(entry);
      const estimate = successDifference(countsOf(entry), 0.95).estimate!;
      const se = Math.sqrt((clusterVariance(sums, sizes, estimate) * (tasks - 1)) / tasks);
      return quantity === "pairWeighted_CR0" ? { estimate, se } : se;
    },
  ],
  [/^signFlipExactP_sumStatistic$/, (entry) => signFlipTest(list(entry, "S"), 0.05).pValue],
  [/^signFlipMidP_sumStatistic$/, (entry) => signFlipTest(list(entry, "S"), 0.05).midPValue],
  [
    /^signSymmetricEProcess$/,
    (entry) => {
      let capital = startEProcess();
      return countsOf(entry).sums.map((sum) => {
        capital = advanceEProcess(capital, sum);
        return eValueOf(capital).eValue;
      });
    },
  ],
  [/^pass@(\d)_([AB])$/, (entry, [k, arm]) => averagePassAtK(armOf(entry, arm!), Number(k)).passAtK],
  [/^pass\^(\d)_([AB])$/, (entry, [k, arm]) => averagePassAtK(armOf(entry, arm!), Number(k)).passHatK],
  [
    /^pass@k,pass\^k$/,
    (entry) => {
      const [n, c, k] = numbers(entry, "n", "c", "k") as [number, number, number];
      return [passAtK(n, c, k), passHatK(n, c, k)];
    },
  ],
  [
    /^pairsUsed$/,
    (entry) => {
      const { taskMeans, pairs, totalPairs } = ratiosOf(entry);
      return { tasks: taskMeans.length, pairs, totalPairs };
    },
  ],
  [
    /^hodgesLehmannRatio_walshCI_DEFAULT$/,
    (entry) => {
      const { taskMeans } = ratiosOf(entry);
      expectClose(taskMeans, entry.inputs["x"], entry);
      const { estimate, interval } = latencyRatio(taskMeans, 0.95);
      const outside = 2 * signedRankCdf((entry.inputs["k"] as number) - 1, taskMeans.length);
      return { ratio: estimate, ciRatio95: limits(interval), achievedConf: 1 - outside };
    },
  ],
  [
    /^wilcoxonExact$/,
    (entry) => {
      const x = list(entry, "x");
      const { estimate, interval } = hodgesLehmann(x, 0.95);
      const ciRatio = [Math.exp(interval!.lower), Math.exp(interval!.upper)];
      return { V: signedRankStatistic(x), p: signedRankTest(x, 0.05).pValue, hlRatio: Math.exp(estimate!), ciRatio };
    },
    // R reports the nominal level there.
    (value) => Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== "achievedConf")),
  ],
  [/^wilcoxonExactP$/, (entry) => signedRankTest(ratiosOf(entry).taskMeans, 0.05).pValue],
  [/^wilcoxonPrattExact$/, (entry) => ({ p: signedRankTest(ratiosOf(entry).taskMeans, 0.05).pValue })],
  [
    /^wilcoxonExactTies_zerosDropped$/,
    // Dropping the zeros beforehand makes Pratt's test the one with zeros dropped.
    (entry) => {
      const x = list(entry, "x").filter((value) => value !== 0);
      return { V: signedRankStatistic(x), p: signedRankTest(x, 0.05).pValue };
    },
  ],
  // The median of the summaries, from the library that computes it there: all interpolating types agree on it.
  [/^quantile_type[678]_p0\.5$/, (entry) => median(sampleOf(entry))],
  [/^quantile_type1_p(.+)$/, (entry, [p]) => nearestRankQuantile(sampleOf(entry), Number(p))],
  [
    /^orderStatCI95_(median|p95)$/,
    (entry, [name]) => {
      const { interval } = quantileInterval(sampleOf(entry), name === "median" ? 0.5 : 0.95, 0.95);
      const { lowerRank = null, upperRank = null, lower = null, upper = null, coverage = 1 } = interval ?? {};
      return {
        lowerRank,
        upperRank,
        lower,
        upper,
        exactCoverage: coverage,
        boundedBothSides: lower !== null && upper !== null,
      };
    },
  ],
  [/^pMaxBelowP95_n\d+$/, (entry) => binomialCdf(0, numbers(entry, "n")[0]!, 0.05)],
  [
    /^oneSampleT_power$/,
    (entry) => {
      const [tasks, delta] = numbers(entry, "T", "delta") as [number, number];
      return power(oneSample(entry), tasks, delta);
    },
  ],
  [
    /^oneSampleT_requiredT$/,
    (entry) => {
      const [delta, wanted] = numbers(entry, "delta", "power") as [number, number];
      return requiredTasks(oneSample(entry), delta, wanted)!.tasks;
    },
    // Tasks are whole here: the smallest number that is at least the reference's solution.
    (value) => Math.ceil(value as number),
  ],
  [
    /^clusterPaired_requiredTasks$/,
    (entry) => {
      const [betweenTasks, withinTask, repetitions] = numbers(entry, "tau2", "sigmaW2", "R") as [
        number,
        number,
        number,
      ];
      const [alpha, delta, wanted] = numbers(entry, "alpha", "delta", "power") as [number, number, number];
      const design = { betweenTasks, withinTask, repetitions, alpha };
      const { tasks, power: achieved } = requiredTasks(design, delta, wanted)!;
      return { T: tasks, achieved, normalApprox: normalRequiredTasks(design, delta, wanted) };
    },
  ],
  [/^tQuantile$/, (entry) => tQuantile(...(numbers(entry, "p", "df") as [number, number]))],
  [/^tCdf$/, (entry) => tCdf(...(numbers(entry, "t", "df") as [number, number]))],
  [/^normalQuantile$/, (entry) => normalQuantile(numbers(entry, "p")[0]!)],
  [/^normalCdf$/, (entry) => normalCdf(numbers(entry, "z")[0]!)],
  [/^betaQuantile$/, (entry) => betaQuantile(...(numbers(entry, "p", "a", "b") as [number, number, number]))],
  [/^binomialCdf$/, (entry) => binomialCdf(...(numbers(entry, "k", "n", "p") as [number, number, number]))],
  [/^signrankCdf$/, (entry) => signedRankCdf(...(numbers(entry, "v", "n") as [number, number]))],
  [/^signrankQuantile0\.025$/, (entry) => signedRankQuantile(0.025, numbers(entry, "n")[0]!)],
  [/^holm$/, (entry) => holm(list(entry, "p"))],
];

/** Recorded to compare with, not part of the analysis; every quantity without a function above must stand here. */
const alternatives: Record<string, string> = {
  newcombePaired95: "Newcombe's interval has no form for clustered pairs; Tango's is reported",
  bonettPrice95: "adjusted Wald interval; Tango's is reported",
  fayLumbard95: "melded interval by numerical integration; Tango's is reported",
  durkalskiZ: "clustered McNemar by a normal approximation; the sign-flip test is exact",
  signFlipCI95_taskMeans: "interval by inverting the sign-flip test; too narrow with few tasks (2^T sign vectors)",
  taskMeanT: "t interval of unweighted task means; the reported interval weighs pairs and never has zero width",
  pairWeighted_CR2: "CR2 with Satterthwaite's degrees of freedom; the reported interval uses CR1 and T - 1",
  bettingEProcess_m0: "another e-process of the same question; one is reported",
  mcnemarBetaMixtureE: "an e-value of independent pairs; ours holds for clustered pairs",
  taskGeoMeanRatio: "mean of task log ratios; the Hodges-Lehmann centre is reported",
  pairGeoMeanRatio: "weighs pairs, not tasks",
  medianPairRatio: "descriptive, computed with the comparison's summaries",
  signFlipCI95_ratio: "interval by inverting the sign-flip test of means; Walsh averages are reported",
  signFlipExactP_taskMeanLogRatio: "test of the mean; the signed-rank test belongs to the reported centre",
  taskLogRatioT: "t interval; latencies have heavy tails",
  pairWeightedCR2: "weighs pairs, not tasks",
  wilcoxonNormalApprox: "normal approximation of a test that is exact here",
  mainlandGart_fisherP: "needs one pair a task and discards concordant pairs; the order effect has an interval",
  mcnemarPairs_Connor1987: "sample size of independent pairs; ours holds for clustered pairs",
  benjaminiHochberg: "false discovery rate; Holm controls any false rejection",
  ...Object.fromEntries(
    [6, 7, 8].flatMap((type) =>
      [0.9, 0.95, 0.99].map((p) => [`quantile_type${type}_p${p}`, "interpolates; P95 is nearest-rank (type 1)"]),
    ),
  ),
};

function discordant(entry: Entry): [number, number] {
  return numbers(entry, "b", "c") as [number, number];
}

function oneSample(entry: Entry) {
  const [sd, alpha] = numbers(entry, "sd", "alpha") as [number, number];
  return { betweenTasks: sd * sd, withinTask: 0, repetitions: 1, alpha };
}

const analysisOf = (entry: Entry) => computed.find(([pattern]) => pattern.test(entry.quantity));

/**
 * The tolerance that the entry's own accuracy allows. Root finders that stop at 1e-7 do so in absolute terms, on differences within
 * [-1, 1]. statsmodels' power differs from R's by up to 2.2e-9; 30 digits of mpmath side with R (0.637094269747928 at 50 tasks), whose
 * entries are held to 1e-9.
 */
function toleranceOf(entry: Entry): { relative: number; absolute: number } {
  if (entry.quantity.endsWith("_tol1e-7")) return { relative: 1e-6, absolute: 1e-6 };
  if (entry.quantity === "oneSampleT_power" && entry.impl.startsWith("statsmodels")) {
    return { relative: 3e-9, absolute: 0 };
  }
  return { relative: 1e-9, absolute: 1e-15 };
}

/** Compares what was computed with the same parts of what is expected. */
function expectClose(actual: unknown, expected: unknown, entry: Entry): void {
  if (Array.isArray(expected)) {
    expect(actual).toHaveLength(expected.length);
    expected.forEach((part, index) => expectClose((actual as unknown[])[index], part, entry));
  } else if (typeof expected === "number") {
    const { relative, absolute } = toleranceOf(entry);
    expect(typeof actual).toBe("number");
    const distance = Math.abs((actual as number) - expected);
    expect(distance, `${String(actual)} for ${expected}`).toBeLessThanOrEqual(
      Math.max(absolute, relative * Math.abs(expected)),
    );
  } else if (typeof expected === "object" && expected !== null) {
    expect(Object.keys(actual as object).sort()).toEqual(Object.keys(expected).sort());
    for (const [name, part] of Object.entries(expected)) {
      expectClose((actual as Record<string, unknown>)[name], part, entry);
    }
  } else {
    expect(actual).toBe(expected);
  }
}

const matched = reference.entries.filter((entry) => analysisOf(entry) !== undefined);
const quantities = new Set(reference.entries.map((entry) => entry.quantity));

describe(`reference values: ${matched.length} of ${reference.entries.length} entries are held`, () => {
  test("every quantity is either held or named as an alternative, never both", () => {
    const held = new Set(matched.map((entry) => entry.quantity));
    expect([...quantities].filter((quantity) => !held.has(quantity)).sort()).toEqual(Object.keys(alternatives).sort());
  });

  test("the number of entries held", () => {
    expect(matched.length).toBe(633);
  });

  test.each([...new Set(matched.map((entry) => entry.quantity))])("%s", (quantity) => {
    for (const entry of matched.filter((candidate) => candidate.quantity === quantity)) {
      const [pattern, compute, expected] = analysisOf(entry)!;
      const parts = pattern.exec(quantity)!.slice(1);
      expectClose(compute(entry, parts), expected === undefined ? entry.value : expected(entry.value), entry);
    }
  });
});
