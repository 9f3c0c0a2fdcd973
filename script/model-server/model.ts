/** What a CLI asks of a model, whatever the protocol. */
export interface ModelRequest {
  model: string;
  /** The instructions that come before the conversation; empty when there are none. */
  system: string;
  /** The conversation so far, oldest first. */
  messages: Message[];
}

export type Message =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; toolCalls: ToolCall[] }
  | { role: "tool"; callID: string; text: string };

export interface ToolCall {
  /** Comes back with the tool's result, so it may carry what the next reply must know. */
  id: string;
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** What the server says a request cost. */
export interface Usage {
  /** Tokens read, with the cached ones. */
  prompt: number;
  cached: number;
  /** Tokens written, with the reasoning ones. */
  completion: number;
  reasoning: number;
}

export type Reply =
  | { kind: "text"; text: string; usage: Usage }
  /** Calls that the CLI may carry out in parallel. */
  | { kind: "toolCalls"; calls: ToolCall[]; usage: Usage }
  /** Answers with this status instead of a stream. */
  | { kind: "httpError"; status: number }
  /** Streams the text, then drops the connection in the middle of the answer. */
  | { kind: "cutStream"; text: string }
  /** Never answers; the connection stays open until either side closes. */
  | { kind: "hang" };

/** The model: from a request to the reply. */
export type Respond = (request: ModelRequest) => Reply | Promise<Reply>;

/** How requests and replies look on the wire. */
export interface Protocol {
  /** Path of the endpoint, as in `/v1/chat/completions`. */
  path: string;
  /** @returns null when the body is not a request of this protocol. */
  read(body: unknown): ModelRequest | null;
  /** Events of a whole stream, to be sent in order. */
  stream(reply: Extract<Reply, { kind: "text" | "toolCalls" }>, request: ModelRequest): string[];
  /** Events of a stream that begins to say the text and has no end. */
  beginning(text: string, request: ModelRequest): string[];
  /** Body of an answer with this status. */
  error(status: number): unknown;
}
