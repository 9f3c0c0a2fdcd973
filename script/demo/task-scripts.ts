/** A replacement of text that stands exactly once in the file. */
export interface Edit {
  path: string;
  oldText: string;
  newText: string;
}

/** How the scripted model goes about a task on one occasion. */
export type Approach =
  | "right"
  | "wrong"
  /** Looks for a file that is not there first: one tool error. */
  | "guesses-then-right"
  | "guesses-then-wrong"
  /** Tries an edit that does not match first: one tool error. */
  | "slips-then-right"
  /** Reads, and asks a question instead of changing anything. */
  | "asks";

export interface TaskScript {
  /** Words of the prompt by which the model knows the task. */
  topic: string;
  /** The sentence of the project's conventions that settles what is right here. */
  rule: string;
  /** What the model reads besides when it has to find its way. */
  others: string[];
  /** A path that sounds likely and does not exist. */
  guess: string;
  right: Edit;
  /** What one would plausibly do without the rule. */
  wrong: Edit;
  /** By occasion: the first time that the task is asked, the second, ... */
  withRule: Approach[];
  withoutRule: Approach[];
}

export const taskScripts: readonly TaskScript[] = [
  {
    topic: "catalogue",
    rule: "the one who slices adds the one",
    others: ["src/pages.js", "test/pages.test.js"],
    guess: "src/pagination.js",
    right: {
      path: "src/catalogue.js",
      oldText: "items.slice(range.first, range.last)",
      newText: "items.slice(range.first, range.last + 1)",
    },
    wrong: {
      path: "src/pages.js",
      oldText: "Math.min(first + size, total) - 1",
      newText: "Math.min(first + size, total)",
    },
    withRule: ["right", "right", "slips-then-right", "right"],
    withoutRule: ["guesses-then-wrong", "right", "wrong", "asks"],
  },
  {
    topic: "leaderboard",
    rule: "sort and filter a copy",
    others: ["src/game.js", "src/history.js"],
    guess: "src/ranking.js",
    right: {
      path: "src/leaderboard.js",
      oldText: "scores.sort().reverse()",
      newText: "[...scores].sort((a, b) => b - a)",
    },
    wrong: { path: "src/leaderboard.js", oldText: "scores.sort().reverse()", newText: "scores.sort((a, b) => b - a)" },
    withRule: ["right", "right", "right", "right"],
    withoutRule: ["wrong", "guesses-then-right", "wrong", "right"],
  },
  {
    topic: "65535",
    rule: "a whole number within its limits, or a RangeError",
    others: ["src/serve.js", "test/options.test.js"],
    guess: "src/cli.js",
    right: {
      path: "src/options.js",
      oldText: "  return Number(text);",
      newText: [
        "  const port = Number(text);",
        "  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new RangeError(`--port: no port: ${text}`);",
        "  return port;",
      ].join("\n"),
    },
    wrong: {
      path: "src/options.js",
      oldText: "  return Number(text);",
      newText: [
        "  const port = Number(text);",
        "  if (Number.isNaN(port)) throw new RangeError(`--port: no port: ${text}`);",
        "  return port;",
      ].join("\n"),
    },
    withRule: ["right", "slips-then-right", "wrong", "right"],
    withoutRule: ["wrong", "wrong", "guesses-then-right", "guesses-then-wrong"],
  },
  {
    topic: "split a bill",
    rule: "differ by at most one cent",
    others: ["src/bill.js", "test/bill.test.js"],
    guess: "src/money.js",
    right: {
      path: "src/split.js",
      oldText: "  return Array.from({ length: people }, () => Math.round(totalCents / people));",
      newText: [
        "  const part = Math.floor(totalCents / people);",
        "  const rest = totalCents - part * people;",
        "  return Array.from({ length: people }, (_, index) => (index < rest ? part + 1 : part));",
      ].join("\n"),
    },
    wrong: {
      path: "src/split.js",
      oldText: "  return Array.from({ length: people }, () => Math.round(totalCents / people));",
      newText: [
        "  const part = Math.floor(totalCents / people);",
        "  const last = totalCents - part * (people - 1);",
        "  return Array.from({ length: people }, (_, index) => (index === people - 1 ? last : part));",
      ].join("\n"),
    },
    withRule: ["right", "wrong", "right", "right"],
    withoutRule: ["right", "guesses-then-right", "wrong", "right"],
  },
];
