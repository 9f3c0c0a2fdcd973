// Starts a model server, has one request answered and another left hanging, closes the server. Then nothing may keep
// this process alive: it ends by itself.
import http from "node:http";
import { startModelServer } from "../../script/model-server/server.ts";

const usage = { prompt: 1, cached: 0, completion: 1, reasoning: 0 };
let hanging;
const hangs = new Promise((resolve) => (hanging = resolve));
const server = await startModelServer({
  respond(request) {
    if (request.model === "answers") return { kind: "text", text: "ok", usage };
    hanging();
    return { kind: "hang" };
  },
});

const agent = new http.Agent({ keepAlive: true });
const ask = (model) =>
  new Promise((resolve) => {
    const body = JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "Fix it" }] });
    const request = http.request(`${server.url}/chat/completions`, { method: "POST", agent }, (response) => {
      response.resume();
      response.on("end", () => resolve("answered"));
    });
    request.on("error", () => resolve("dropped"));
    request.end(body);
  });

const first = await ask("answers");
const second = ask("hangs");
await hangs;
await server.close();
console.log(`${first}, ${await second}, closed`);
