/** Bets of both directions and several sizes, because the size of the effect is not known beforehand. */
const bets = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6].flatMap((size) => [size, -size]);

/** The largest e-value that is reported as it is. */
const largestEValue = 1e300;

/** Evidence against "the task sums are symmetric about 0" so far: the logarithm of every bet's capital. */
export type EProcess = readonly number[];

/** The capital of 1 before the first task. */
export function startEProcess(): EProcess {
  return bets.map(() => 0);
}

/**
 * The process after one more task block, with candidate minus baseline successes `sum`. Under the null the sign of a task's sum is a
 * fair coin given its size and all tasks before, so exp(λS) / cosh(λS) has mean 1 and each bet's capital is a martingale, and so is
 * their mean; by Ville's inequality it ever exceeds 1/alpha with probability at most alpha, whenever one looks (Waudby-Smith and
 * Ramdas 2024; Ramdas et al. 2020 for sign-symmetric e-values). It must be fed with whole tasks, in an order drawn beforehand.
 */
export function advanceEProcess(process: EProcess, sum: number): EProcess {
  return process.map((capital, index) => {
    const x = bets[index]! * sum;
    // log(exp(x) / cosh(x)) = log 2 - log(1 + exp(-2x)), without overflow on either side.
    const softplus = x >= 0 ? Math.log1p(Math.exp(-2 * x)) : -2 * x + Math.log1p(Math.exp(2 * x));
    return capital + Math.LN2 - softplus;
  });
}

/** The evidence: 20 is as surprising under the null as p = 0.05, and remains so under repeated looks. */
export interface EValue {
  eValue: number;
  /** True where the e-value is larger than `eValue`. */
  isBound: boolean;
}

/** The mean of the bets' capitals. */
export function eValueOf(process: EProcess): EValue {
  const largest = Math.max(...process);
  const scaled = process.reduce((sum, capital) => sum + Math.exp(capital - largest), 0) / process.length;
  const logarithm = largest + Math.log(scaled);
  if (logarithm > Math.log(largestEValue)) return { eValue: largestEValue, isBound: true };
  return { eValue: Math.exp(logarithm), isBound: false };
}

/** The e-value after all tasks; the order of the tasks does not matter to it. */
export function eValue(sums: readonly number[]): EValue {
  return eValueOf(sums.reduce<EProcess>(advanceEProcess, startEProcess()));
}
