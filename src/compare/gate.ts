import { InputError } from "../problem.ts";
import type { NumberedRun, RecordSet } from "../record/record-set.ts";
import { compare, type Comparison } from "./comparison.ts";
import type { Inference } from "./inference/inference.ts";
import { fewTasks } from "./inference/warnings.ts";
import { evidence, neededWords, points } from "./inference/words.ts";
import { assessLimits } from "./limits.ts";
import { counted, named } from "./wording.ts";

interface Limit {
  /** Largest candidate / baseline. */
  maxRatio: number;
}

/** What a gate asks for. */
export interface GatePolicy {
  /** The smallest loss of success that would matter, 0 to 1. */
  success: { margin: number };
  /** On elapsed time of pairs that verified in both arms. */
  latency?: Limit;
  /** On all tokens, those from the cache included. */
  tokens?: Limit;
  cost?: Limit;
  /** Default 6. */
  minTasks?: number;
  minPairs?: number;
  /** Largest share of attempts with a fault, in either arm. */
  maxFaultRate?: number;
  /** Largest number of protected files that the candidate changed; default 0. */
  maxProtectedChanged?: number;
  /** Records without a plan are not enough. */
  requirePlan?: boolean;
  /** Two-sided level; default 0.05. */
  alpha?: number;
  /** What an undecided gate means; without it, it is told apart by its own exit code. */
  onInconclusive?: "fail" | "pass" | "neutral";
}

/** One question of the gate, in the order in which they are asked. */
export interface GateCheck {
  name: "protected files" | "plan" | "size" | "faults" | "success" | "latency" | "tokens" | "cost";
  /** `not-assessed`: an earlier answer left nothing to ask. */
  status: "met" | "broken" | "undecided" | "not-assessed";
  /** One sentence or more, without a line end. */
  message: string;
}

export interface GateDecision {
  decision: "passed" | "failed" | "undecided";
  /** The sentence of the check that decided. */
  reason: string;
  checks: GateCheck[];
  comparison: Comparison;
}

/**
 * Decides for or against the candidate, or not at all. It fails only on evidence: tampering, an inferior candidate, a regressed one
 * that is not shown to be non-inferior, or a broken limit. It passes only on evidence: non-inferior, and every limit met.
 * @throws InputError for records that support no comparison, that hold several models or cohorts, or whose arms a limit cannot see
 */
export function evaluateGate(
  records: RecordSet,
  baseline: string,
  candidate: string,
  policy: GatePolicy,
): GateDecision {
  refuseUnseenWork(records, baseline, candidate, policy);
  const { alpha, success } = policy;
  const comparison = compare(records, baseline, candidate, { margin: success.margin, isDeclared: true, alpha });
  const { inference } = comparison;
  if (inference === null) {
    const message = `${comparison.inferenceReason?.message ?? "several groups"}; a gate decides on one`;
    throw new InputError({ file: records.file, message, fix: "gate each model and cohort by itself" });
  }
  const checks = [
    checkProtected(records.runs, candidate, policy),
    ...checkPlan(records, policy),
    checkSize(inference, policy),
    ...checkFaults(records.runs, [baseline, candidate], policy),
  ];
  const areMet = (): boolean => checks.every(({ status }) => status === "met");
  checks.push(areMet() ? checkSuccess(inference, success.margin) : successNotJudged);
  checks.push(...assessLimits(inference, policy, areMet()));
  return { ...decide(checks), checks, comparison };
}

const successNotJudged: GateCheck = {
  name: "success",
  status: "not-assessed",
  message: "Success is not judged, since what is asked before it is not met.",
};

/** In the order of the questions; of several limits a broken one weighs more than one that cannot be told. */
function decide(checks: readonly GateCheck[]): Pick<GateDecision, "decision" | "reason"> {
  const limits = checks.filter(({ name }) => limitNames.has(name));
  const before = checks.find(({ name, status }) => !limitNames.has(name) && isOpen(status));
  const first =
    before ?? limits.find(({ status }) => status === "broken") ?? limits.find(({ status }) => isOpen(status));
  if (first?.status === "broken") return { decision: "failed", reason: first.message };
  if (first !== undefined) return { decision: "undecided", reason: first.message };
  const asked = checks.filter(({ name }) => ["success", "latency", "tokens", "cost"].includes(name));
  return { decision: "passed", reason: asked.map(({ message }) => message).join(" ") };
}

const limitNames: ReadonlySet<string> = new Set(["latency", "tokens", "cost"]);

function isOpen(status: GateCheck["status"]): boolean {
  return status === "broken" || status === "undecided";
}

/** Counters do not see child sessions, so that a limit on them would be met by hiding the work. */
function refuseUnseenWork(
  { cohorts, file }: RecordSet,
  baseline: string,
  candidate: string,
  { tokens, cost }: GatePolicy,
): void {
  if (tokens === undefined && cost === undefined) return;
  const arms = cohorts.flatMap(({ cohort }) => cohort.childSessions ?? []);
  const arm = [baseline, candidate].find((name) => arms.includes(name));
  if (arm === undefined) return;
  const field = tokens === undefined ? "cost" : "tokens";
  const message = `arm ${named(arm)} works in child sessions (council, arena), which the counters do not see`;
  throw new InputError({ file, field, message, fix: "take the limits on tokens and cost out of the policy" });
}

function checkProtected(runs: readonly NumberedRun[], candidate: string, policy: GatePolicy): GateCheck {
  const most = policy.maxProtectedChanged ?? 0;
  const changed = runs.reduce((sum, { run }) => sum + (run.arm === candidate ? (run.protectedChanged ?? 0) : 0), 0);
  const status = changed > most ? "broken" : "met";
  const message = `The candidate changed ${counted(changed, "protected file")}; at most ${most} may be.`;
  return { name: "protected files", status, message };
}

function checkPlan({ cohorts }: RecordSet, { requirePlan }: GatePolicy): GateCheck[] {
  if (requirePlan !== true) return [];
  if (cohorts.length > 0) return [{ name: "plan", status: "met", message: "The records state their plan." }];
  const message = "The records do not state their plan, so that it cannot be told whether they are complete.";
  return [{ name: "plan", status: "undecided", message }];
}

/** Fewer say next to nothing of tasks in general; with them no test can be significant either. */
const fewestTasks = 6;

function checkSize({ tasks, pairs }: Inference, { minTasks = fewestTasks, minPairs = 1 }: GatePolicy): GateCheck {
  const short = [
    ...(tasks < minTasks ? [`${counted(tasks, "task")} of ${minTasks} needed`] : []),
    ...(pairs < minPairs ? [`${counted(pairs, "pair")} of ${minPairs} needed`] : []),
  ];
  if (short.length > 0) return { name: "size", status: "undecided", message: `Too few: ${short.join(", ")}.` };
  return { name: "size", status: "met", message: `${counted(tasks, "task")}, ${counted(pairs, "pair")}.` };
}

/** Attempts that void lines set aside count too: a provider that failed half of them was no fair judge. */
function checkFaults(runs: readonly NumberedRun[], arms: readonly string[], { maxFaultRate }: GatePolicy): GateCheck[] {
  if (maxFaultRate === undefined) return [];
  const rates = arms.map((arm) => {
    const own = runs.filter(({ run }) => run.arm === arm);
    return own.filter(({ run }) => run.fault !== undefined).length / own.length;
  });
  const worst = Math.max(...rates);
  if (worst === 0) return [{ name: "faults", status: "met", message: "No attempt had a fault." }];
  const arm = named(arms[rates.indexOf(worst)] ?? "");
  const message = `${percent(worst)} of the attempts of ${arm} had a fault; at most ${percent(maxFaultRate)} may.`;
  return [{ name: "faults", status: worst > maxFaultRate ? "undecided" : "met", message }];
}

function checkSuccess({ verdict, success, tasks, pairs, alpha }: Inference, margin: number): GateCheck {
  const { difference, eValue } = success;
  const { direction, nonInferior, needed } = verdict;
  const found = evidence(difference, { alpha, eValue });
  const check = (status: GateCheck["status"], words: string): GateCheck => ({
    name: "success",
    status,
    message: words,
  });
  const loss = `a loss of ${points(margin)} or more`;
  if (nonInferior === true) {
    const few = tasks < fewTasks ? ` Mind that ${counted(tasks, "task")} are few: see the warning few-tasks.` : "";
    return check("met", `Success is non-inferior, ${loss} is excluded: ${found}.${few}`);
  }
  if (verdict.margin === "inferior")
    return check("broken", `Success is inferior, the loss exceeds ${points(margin)}: ${found}.`);
  if (direction === "regressed") return check("broken", `Success regressed, and ${loss} is not excluded: ${found}.`);
  const more = needed?.margin ?? null;
  const what = `a loss below ${points(margin)}`;
  const words =
    more === null ? "" : ` ${neededWords(what, more, { tasks, pairs, distance: difference.estimate + margin })}`;
  return check("undecided", `Success is undecided, ${loss} is neither shown nor excluded: ${found}.${words}`);
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
