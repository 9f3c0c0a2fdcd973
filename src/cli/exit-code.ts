/** What a command came to. This is the one place that maps results to exit codes. */
export type Result =
  | { kind: "done" }
  /** A gate decided against the candidate, or its policy takes an undecided one as that. */
  | { kind: "gate-failed" }
  | { kind: "gate-undecided" }
  | { kind: "invalid-input" }
  | { kind: "incomplete" }
  | { kind: "interrupted"; signal: string }
  | { kind: "bug" };

export function exitCode(result: Result): number {
  switch (result.kind) {
    case "done":
      return 0;
    case "gate-failed":
      return 1;
    case "invalid-input":
      return 2;
    case "gate-undecided":
      return 3;
    case "incomplete":
      return 4;
    case "bug":
      return 70;
    case "interrupted":
      return result.signal === "SIGTERM" ? 143 : result.signal === "SIGHUP" ? 129 : 130;
  }
}
