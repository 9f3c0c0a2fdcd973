import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatCompletions } from "./chat-completions.ts";
import type { ModelRequest, Protocol, Reply, Respond } from "./model.ts";

export interface ModelServer {
  /** Base address of the API, as in `http://127.0.0.1:40123/v1`. */
  url: string;
  /** Model requests that came in so far. */
  readonly requests: number;
  /**
   * Drops what is still open.
   * @throws the first error that `respond` threw, so that a mistake in a script does not pass for a provider's.
   */
  close(): Promise<void>;
}

export interface ModelServerInput {
  respond: Respond;
  /** Default: OpenAI's chat completions. */
  protocols?: readonly Protocol[];
}

/** A model behind a provider's API, on a free port of the loopback interface. */
export async function startModelServer(input: ModelServerInput): Promise<ModelServer> {
  const { respond, protocols = [chatCompletions] } = input;
  let requests = 0;
  let failure: Error | undefined;

  async function answer(request: ModelRequest): Promise<Reply> {
    try {
      return await respond(request);
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
      return { kind: "httpError", status: 500 };
    }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? "/", "http://localhost").pathname;
    const protocol = protocols.find((candidate) => candidate.path === path);
    if (protocol === undefined || incoming.method !== "POST") return sendStatus(response, 404, {});
    const request = protocol.read(await bodyOf(incoming));
    if (request === null) return sendStatus(response, 400, protocol.error(400));
    requests += 1;
    await send(await answer(request), { protocol, request, response });
  }

  const server = createServer((incoming, response) => {
    // What fails besides `respond` is the connection: the client has gone.
    serve(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      if (failure !== undefined) throw failure;
    },
  };
}

/** @returns undefined when the body is not JSON. */
async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

interface Exchange {
  protocol: Protocol;
  request: ModelRequest;
  response: ServerResponse;
}

async function send(reply: Reply, { protocol, request, response }: Exchange): Promise<void> {
  switch (reply.kind) {
    case "text":
    case "toolCalls":
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(protocol.stream(reply, request).join(""));
      return;
    case "httpError":
      return sendStatus(response, reply.status, protocol.error(reply.status));
    case "cutStream":
      response.writeHead(200, { "content-type": "text/event-stream" });
      // The callback comes when the bytes have left, so the client sees the beginning and then the break.
      await new Promise((resolve) => response.write(protocol.beginning(reply.text, request).join(""), resolve));
      response.destroy();
      return;
    case "hang":
      return;
  }
}

function sendStatus(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
