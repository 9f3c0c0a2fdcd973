/** The port of `--port`; 8080 when the option is absent. */
export function parsePort(text) {
  if (text === undefined) return 8080;
  return Number(text);
}

/** The host of `--host`; the loopback interface when the option is absent. */
export function parseHost(text) {
  return text ?? "127.0.0.1";
}
