import { setTimeout as wait } from "node:timers/promises";
import type { ModelRequest, Reply, Respond, ToolCall, Usage } from "../model-server/model.ts";
import { taskScripts, type Approach, type Edit, type TaskScript } from "./task-scripts.ts";

/** One reply's tool calls; carried out together. */
type Step = Pick<ToolCall, "name" | "arguments">[];

/**
 * A model that follows a script. It knows the task by the prompt, sees whether the system prompt holds the rule that settles
 * the task, and does what the script says for that case and for the number of times it was asked so far. So its
 * outcomes are the same in every run, and change when the rule leaves the project's guidance.
 * @param thinkMs how long every reply takes, so that steps cost time.
 */
export function scriptedModel(thinkMs = 150): Respond {
  const asked = new Map<string, number>();
  return async (request) => {
    await wait(thinkMs);
    return replyTo(request, asked);
  };
}

function replyTo(request: ModelRequest, asked: Map<string, number>): Reply {
  const prompt = request.messages.find(({ role }) => role === "user")?.text ?? "";
  const script = taskScripts.find(({ topic }) => prompt.includes(topic));
  const step = request.messages.filter(({ role }) => role === "assistant").length;
  if (script === undefined) return { kind: "text", text: "I do not know this task.", usage: usageOf(step, false) };
  const informed = request.system.includes(script.rule);
  const occasion = occasionOf(request) ?? nextOccasion(`${script.topic} ${informed}`, asked);
  const approaches = informed ? script.withRule : script.withoutRule;
  const approach = approaches[occasion % approaches.length] ?? "asks";
  const calls = stepsOf(script, approach, informed)[step];
  const usage = usageOf(step, informed);
  if (calls === undefined) {
    return { kind: "text", text: approach === "asks" ? "Which behaviour do you expect?" : "Done.", usage };
  }
  const withIDs = calls.map((call, index) => ({ ...call, id: `call_${occasion}_${step}_${index}` }));
  return { kind: "toolCalls", calls: withIDs, usage };
}

/** What the conversation itself says, since its tool calls carry it; undefined at its beginning. */
function occasionOf(request: ModelRequest): number | undefined {
  const calls = request.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  const digits = calls[0]?.id.split("_")[1];
  return digits === undefined ? undefined : Number(digits);
}

function nextOccasion(key: string, asked: Map<string, number>): number {
  const occasion = asked.get(key) ?? 0;
  asked.set(key, occasion + 1);
  return occasion;
}

/** Who knows the conventions goes straight to the file and runs the tests; who does not looks around first. */
function stepsOf(script: TaskScript, approach: Approach, informed: boolean): Step[] {
  const { right, wrong, others, guess } = script;
  const guesses = approach === "guesses-then-right" || approach === "guesses-then-wrong";
  const search: Step[] = informed ? [] : [[bash("ls -R .")], others.map(read)];
  const look: Step[] = [...search, ...(guesses ? [[read(guess)]] : []), [read(right.path)]];
  const check: Step[] = informed ? [[bash("node --test")]] : [[read(right.path)], [bash("node --test")]];
  switch (approach) {
    case "right":
    case "guesses-then-right":
      return [...look, [edit(right)], ...check];
    case "wrong":
    case "guesses-then-wrong":
      return [...look, [edit(wrong)], ...check];
    case "slips-then-right":
      return [...look, [edit({ ...right, oldText: `${right.oldText} // ` })], [edit(right)], ...check];
    case "asks":
      return look;
  }
}

const read = (path: string) => ({ name: "read", arguments: { path } });
const bash = (command: string) => ({ name: "bash", arguments: { command } });
const edit = ({ path, ...change }: Edit) => ({ name: "edit", arguments: { path, edits: [change] } });

/** Tokens as a provider with a prompt cache would count them: each request re-reads what came before it. */
function usageOf(step: number, informed: boolean): Usage {
  const promptAt = (index: number): number => (informed ? 1640 : 1480) + 230 * index;
  return {
    prompt: promptAt(step),
    cached: step === 0 ? 0 : promptAt(step - 1),
    completion: informed ? 90 : 130,
    reasoning: informed ? 30 : 60,
  };
}
