import { parseHost, parsePort } from "./options.js";

/** The address to listen on, from parsed command-line options. */
export function addressOf(options) {
  return { host: parseHost(options.host), port: parsePort(options.port) };
}
