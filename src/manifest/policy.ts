import { z } from "zod";
import { InputError } from "../problem.ts";
import { issueFindings } from "./issues.ts";
import { parseJson } from "./json.ts";
import { nearest } from "./keys.ts";
import { toProblems } from "./problems.ts";
import { readText } from "./text.ts";

const Limit = z.strictObject({ maxRatio: z.number().gt(0).max(1000) });

/** What a gate asks of a comparison; docs/ci.md explains each field. */
const Policy = z.strictObject({
  $schema: z.string().optional(),
  success: z.strictObject({ margin: z.number().min(0).max(1) }),
  latency: Limit.optional(),
  tokens: Limit.optional(),
  cost: Limit.optional(),
  minTasks: z.int().min(1).max(10_000).optional(),
  minPairs: z.int().min(1).max(10_000_000).optional(),
  maxFaultRate: z.number().min(0).max(1).optional(),
  maxProtectedChanged: z.int().min(0).max(1_000_000).optional(),
  requirePlan: z.boolean().optional(),
  alpha: z.number().min(1e-6).max(0.2).optional(),
  onInconclusive: z.enum(["fail", "pass", "neutral"]).optional(),
});
export type Policy = z.infer<typeof Policy>;

const mostBytes = 1_000_000;

/**
 * Reads and checks a gate's policy.
 * @throws InputError naming every problem, with file, line, field and value.
 */
export async function loadPolicy(path: string): Promise<Policy> {
  const reading = await readText(path, mostBytes);
  if (reading.kind === "large") {
    throw new InputError({ file: path, message: `the file has ${reading.bytes} bytes; a policy has at most 1 MB` });
  }
  if (reading.kind === "refused") throw new InputError({ file: path, message: reading.message, fix: reading.fix });
  const { text } = reading;
  const { value, findings } = parseJson(text, path);
  const parsed = Policy.safeParse(value);
  const all = [...findings, ...issueFindings(parsed.error?.issues ?? [], value, hint)];
  if (all.length > 0 || !parsed.success) throw new InputError(toProblems(all, { file: path, text, value }));
  return parsed.data;
}

function hint(key: string, path: readonly unknown[]): string {
  const [outer] = path;
  const names = outer === undefined ? Object.keys(Policy.shape) : outer === "success" ? ["margin"] : ["maxRatio"];
  const near = nearest(key, names);
  return near === null ? `remove it; known here: ${names.join(", ")}` : `did you mean ${near}?`;
}
