import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startModelServer } from "../../script/model-server/server.ts";
import { asking, noUsage, post, serve } from "./client.ts";

const user = { role: "user", content: "Fix it" };

test.each([401, 429, 500])("a provider's error %i has that status and a body", async (status) => {
  const server = await serve(() => ({ kind: "httpError", status }));
  const response = await post(server, asking(user));
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.objectContaining({ code: String(status) }) as unknown });
  expect(server.requests).toBe(1);
});

test("a cut stream shows its beginning and then breaks off", async () => {
  const server = await serve(() => ({ kind: "cutStream", text: "I will now" }));
  const response = await post(server, asking(user));
  expect(response.status).toBe(200);
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString("utf8");
  })();
  await expect(reading).rejects.toThrow();
  expect(text).toContain("I will now");
  expect(text).not.toContain("[DONE]");
});

test("a hanging request ends when the server closes", async () => {
  const server = await startModelServer({ respond: () => ({ kind: "hang" }) });
  const answer = post(server, asking(user)).then(
    () => "answered",
    () => "dropped",
  );
  await expect.poll(() => server.requests).toBe(1);
  await server.close();
  expect(await answer).toBe("dropped");
  await expect(post(server, asking(user))).rejects.toThrow();
});

test("an unknown address is not found", async () => {
  const server = await serve(() => ({ kind: "text", text: "ok", usage: noUsage }));
  expect((await fetch(`${server.url}/models`)).status).toBe(404);
  expect((await fetch(`${server.url}/chat/completions`)).status).toBe(404);
  expect(server.requests).toBe(0);
});

test("a mistake in the script is reported when the server closes", async () => {
  const server = await startModelServer({
    respond: () => {
      throw new Error("no such occasion");
    },
  });
  expect((await post(server, asking(user))).status).toBe(500);
  await expect(server.close()).rejects.toThrow("no such occasion");
});

test("a closed server keeps no process alive", async () => {
  const program = fileURLToPath(new URL("../programs/model-server-session.mjs", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, output]).toEqual([0, "answered, dropped, closed\n"]);
});
