import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Message, Respond } from "../../script/model-server/model.ts";
import { scriptedModel } from "../../script/demo/scripted-model.ts";
import { taskScripts } from "../../script/demo/task-scripts.ts";
import { loadManifest } from "../../src/manifest/load.ts";

const repetitions = 4;
const { manifest } = await loadManifest(fileURLToPath(new URL("../../manifests/demo.json", import.meta.url)));
const conventions = Buffer.from(manifest.arms[1].files[0]?.content ?? []).toString("utf8");
const systemWith = (context: string) => `You are a coding agent.\n\n# Project Context\n\n${context}`;

interface Played {
  requests: number;
  /** Arguments of every edit, in order. */
  edits: unknown[];
}

/** Plays one conversation to its end; the tools' results say nothing, as the script does not depend on them. */
async function play(respond: Respond, prompt: string, system: string): Promise<Played> {
  const messages: Message[] = [{ role: "user", text: prompt }];
  const played: Played = { requests: 0, edits: [] };
  for (;;) {
    const reply = await respond({ model: "m", system, messages: [...messages] });
    played.requests += 1;
    if (reply.kind !== "toolCalls") return played;
    messages.push({ role: "assistant", text: "", toolCalls: reply.calls });
    for (const call of reply.calls) {
      messages.push({ role: "tool", callID: call.id, text: "" });
      if (call.name === "edit") played.edits.push(call.arguments);
    }
  }
}

/** Per task, the repetitions whose last edit is the right one. */
async function rightOnes(respond: Respond, system: string): Promise<number[]> {
  const counts: number[] = [];
  for (const { topic, right } of taskScripts) {
    const { path, ...change } = right;
    let count = 0;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const { edits } = await play(respond, `Please: ${topic}.`, system);
      if (JSON.stringify(edits.at(-1)) === JSON.stringify({ path, edits: [change] })) count += 1;
    }
    counts.push(count);
  }
  return counts;
}

test("the conventions help, in most repetitions and not in all", async () => {
  const respond = scriptedModel(0);
  expect(await rightOnes(respond, systemWith(""))).toEqual([1, 2, 1, 3]);
  expect(await rightOnes(respond, systemWith(conventions))).toEqual([4, 4, 3, 3]);
});

test("without its rule a task is as hard as without any conventions", async () => {
  const withoutOneRule = conventions
    .split("\n")
    .filter((line) => !line.includes("sort and filter a copy"))
    .join("\n");
  expect(await rightOnes(scriptedModel(0), systemWith(withoutOneRule))).toEqual([4, 2, 3, 3]);
});

test("the conventions save requests", async () => {
  const respond = scriptedModel(0);
  const [, leaderboard] = taskScripts;
  const prompt = leaderboard?.topic ?? "";
  const lost = await play(respond, prompt, systemWith(""));
  const informed = await play(respond, prompt, systemWith(conventions));
  expect([lost.requests, informed.requests]).toEqual([7, 4]);
});

test("conversations that overlap do not disturb each other", async () => {
  const [{ topic }] = taskScripts as [(typeof taskScripts)[number]];
  const inTurn = scriptedModel(0);
  const expected: Played[] = [];
  for (let occasion = 0; occasion < repetitions; occasion++) expected.push(await play(inTurn, topic, ""));
  const atOnce = scriptedModel(1);
  const played = await Promise.all(expected.map(() => play(atOnce, topic, "")));
  const sorted = (list: Played[]) => list.map((one) => JSON.stringify(one)).sort();
  expect(sorted(played)).toEqual(sorted(expected));
  expect(new Set(sorted(expected)).size).toBeGreaterThan(1);
});

test("a task that is not in the script gets a plain answer", async () => {
  expect(await play(scriptedModel(0), "Write a poem.", "")).toEqual({ requests: 1, edits: [] });
});
