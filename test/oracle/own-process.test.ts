import { expect, test } from "vitest";
import { judge, load } from "./program.ts";

const code = "export const answer = 42; export const bye = (exitCode) => process.exit(exitCode);";

test.concurrent.each([
  [
    "looks at its process",
    `import proc, { argv } from "node:process";
import * as all from "node:process";
const seen = [proc === process, all.default === process, argv === process.argv, typeof process.hrtime.bigint(), process.memoryUsage.rss() > 0, String(process), Object.keys({ ...process }).length > 50];
if (seen.join() !== "true,true,true,bigint,true,[object process],true") throw new Error(seen.join());`,
  ],
  [
    "expects an uncaught error",
    `let seen;
process.once("uncaughtException", (error, origin) => { seen = [error.message, origin]; });
setTimeout(() => { throw new Error("late"); }, 5);
setTimeout(() => { if (seen.join() !== "late,uncaughtException") process.exit(1); }, 40);`,
  ],
  [
    "expects an unhandled rejection",
    `let seen;
process.on("unhandledRejection", (error) => { seen = error.message; });
process.on("exit", () => { if (seen !== "no") process.exitCode = 1; });
void Promise.reject(new Error("no"));`,
  ],
  [
    "starts more work when the loop has drained",
    `let rounds = 0;
process.on("beforeExit", () => { if (rounds++ < 3) setTimeout(() => undefined, 1); });
process.on("exit", (exitCode) => { if (rounds !== 4 || exitCode !== 0) process.exitCode = 1; });`,
  ],
  [
    "removes a listener of its own",
    `const fail = () => process.exit(1);\nprocess.on("exit", fail);\nprocess.off("exit", fail);\nprocess.once("beforeExit", fail);\nprocess.removeAllListeners("beforeExit");`,
  ],
  [
    "takes back an exit code",
    `process.exitCode = 1;\nif (process.exitCode !== 1) throw new Error();\nprocess.exitCode = undefined;`,
  ],
  [
    "stands in for process.exit",
    `${load}let seen;
const { exit } = process;
process.exit = (exitCode) => { seen = exitCode; };
code.bye(7);
process.exit = exit;
process.exit(seen === 7 ? 0 : 1);`,
  ],
  [
    "mocks process.exit",
    `import { mock } from "node:test";
${load}const mocked = mock.method(process, "exit", () => undefined);
code.bye(7);
if (process.exit.mock.calls[0].arguments[0] !== 7) throw new Error();
mocked.mock.restore();
process.exit(0);`,
  ],
] as const)("an oracle that %s passes", async (_name, oracle) => {
  expect(await judge(oracle, code)).toEqual({ kind: "passed" });
});

test("an oracle that listens for rejections alone fails by an error", async () => {
  const oracle = `process.on("unhandledRejection", () => undefined);\nsetTimeout(() => { throw new Error(); }, 5);`;
  expect(await judge(oracle)).toEqual({ kind: "failed" });
});

test("a restored process.exit is not the oracle's own for the code that it loads", async () => {
  const oracle = `${load}const { exit } = process;\nprocess.exit = () => undefined;\nprocess.exit = exit;\ncode.bye(0);`;
  expect(await judge(oracle, code)).toEqual({ kind: "exited", exitCode: 0 });
});
