/** What a command came to. This is the one place that maps results to exit codes. */
export type Result =
  | { kind: "done" }
  | { kind: "invalid-input" }
  | { kind: "incomplete" }
  | { kind: "interrupted"; signal: string }
  | { kind: "bug" };

export function exitCode(result: Result): number {
  switch (result.kind) {
    case "done":
      return 0;
    case "invalid-input":
      return 2;
    case "incomplete":
      return 4;
    case "bug":
      return 70;
    case "interrupted":
      return result.signal === "SIGTERM" ? 143 : result.signal === "SIGHUP" ? 129 : 130;
  }
}
