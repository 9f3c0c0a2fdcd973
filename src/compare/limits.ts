import { holm } from "../statistics/holm.ts";
import type { GateCheck, GatePolicy } from "./gate.ts";
import type { Inference } from "./inference/inference.ts";
import type { RatioInference } from "./inference/metrics.ts";
import { ratioInterval } from "./inference/words.ts";
import { counted } from "./wording.ts";

interface Limited {
  name: "latency" | "tokens" | "cost";
  what: string;
  maxRatio: number;
  found: RatioInference;
}

/**
 * The limits on ratios, asked only once everything before is met. Met: the upper limit is below it. Broken: shown to be above 1, and not
 * met; with several limits the tests share alpha by Holm, so that the gate does not cry wolf more often for asking more.
 * To pass takes all of them, which needs no such care.
 */
export function assessLimits(inference: Inference, policy: GatePolicy, isAsked: boolean): GateCheck[] {
  const limits = limitsOf(inference, policy);
  const adjusted = holm(limits.map(({ found }) => found.test.pValue));
  return limits.map((limit, index): GateCheck => {
    const { name, what, maxRatio } = limit;
    if (!isAsked) {
      const message = `${what} is not judged, since what is asked before it is not met.`;
      return { name, status: "not-assessed", message };
    }
    const status = statusOf(limit, limits.length === 1 ? null : (adjusted[index] ?? null), inference.alpha);
    const { estimate, interval, reason } = limit.found.ratio;
    const ratio = estimate === null ? "no ratio" : `ratio ${estimate.toPrecision(3)}`;
    const spread = interval === null ? `no interval, ${reason?.message}` : ratioInterval(interval);
    const sample = `${counted(limit.found.tasks, "task")}, ${counted(limit.found.pairs, "pair")}`;
    if (isSelective(limit, inference)) {
      const message = `${what} cannot be judged: only ${sample} of ${inference.tasks} and ${inference.pairs} state it, and those that do not may be the largest.`;
      return { name, status: "undecided", message };
    }
    const words = { met: "is within", broken: "breaks", undecided: "is neither within nor beyond" }[status];
    return { name, status, message: `${what} ${words} the limit of ${maxRatio}: ${ratio}, ${spread}; ${sample}.` };
  });
}

function limitsOf({ latency, ratios }: Inference, policy: GatePolicy): Limited[] {
  const limit = (name: Limited["name"], what: string, found: RatioInference): Limited[] => {
    const maxRatio = policy[name]?.maxRatio;
    return maxRatio === undefined ? [] : [{ name, what, maxRatio, found }];
  };
  return [
    ...limit("latency", "Latency", latency),
    ...limit("tokens", "Token use", ratios.totalTokens),
    ...limit("cost", "Cost", ratios.costUsd),
  ];
}

/** @param pValueHolm null where this is the only limit: the interval then decides alone */
function statusOf(
  { found: { ratio }, maxRatio }: Limited,
  pValueHolm: number | null,
  alpha: number,
): "met" | "broken" | "undecided" {
  const limits = limitsOfRatio(ratio);
  if (limits === null) return "undecided";
  if (limits.upper < maxRatio) return "met";
  return limits.lower > 1 && (pValueHolm ?? 0) <= alpha ? "broken" : "undecided";
}

/** Counters go missing with time-outs and damage, so that where many are missing the rest says little. */
function isSelective({ name, found }: Limited, { tasks, pairs }: Inference): boolean {
  if (name === "latency") return false;
  return found.tasks < leastStated * tasks || found.pairs + found.zeroPairs < leastStated * pairs;
}

const leastStated = 0.9;

/**
 * Tasks that all have the very same ratio show no spread to make an interval of. They are enough for one, though, so that all of
 * them lying on one side of a limit would be as improbable as alpha if the centre lay on the other.
 */
function limitsOfRatio({
  estimate,
  interval,
  reason,
}: RatioInference["ratio"]): { lower: number; upper: number } | null {
  if (interval !== null) return interval;
  return estimate !== null && reason?.code === "all-tied" ? { lower: estimate, upper: estimate } : null;
}
