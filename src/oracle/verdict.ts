/** What running an oracle on a workspace came to. */
export type OracleVerdict =
  /** The oracle's own code ran to its end, or itself called `process.exit(0)`, and the process exited 0. */
  | { kind: "passed" }
  /** Exit code 1. */
  | { kind: "failed" }
  /** The source is not an ES module that can be parsed and linked. */
  | { kind: "unparsable" }
  /** Another exit code, or 0 without the proof that the oracle itself reached its end. */
  | { kind: "exited"; exitCode: number }
  | { kind: "signalled"; signal: string }
  | { kind: "timeout"; timeoutMs: number }
  | { kind: "cancelled" }
  /** Node itself could not be started or did not get as far as the oracle, or its processes could not be ended. */
  | { kind: "broken"; reason: string };

export interface OracleRun {
  verdict: OracleVerdict;
  /** Start to exit, on the monotonic clock. */
  elapsedMs: number;
}

/** The verdict as a clause for an error line: what the oracle did. */
export function describeVerdict(verdict: OracleVerdict): string {
  switch (verdict.kind) {
    case "passed":
      return "it passes there";
    case "failed":
      return "it exits with code 1";
    case "unparsable":
      return "it is not an ES module that can be parsed and linked";
    case "exited":
      return verdict.exitCode === 0
        ? "its process ends with code 0 before its own code does"
        : `it exits with code ${verdict.exitCode}`;
    case "signalled":
      return `it is ended by ${verdict.signal}`;
    case "timeout":
      return `it does not end within ${verdict.timeoutMs} ms`;
    case "cancelled":
      return "it was cancelled";
    case "broken":
      return verdict.reason;
  }
}
