import { resourceUsage } from "node:process";
import { lineReader } from "../../src/process/lines.ts";
import { runProcess } from "../../src/process/run.ts";

/** Reads the output of a shell line as the runner reads an agent's, then prints what it saw and how much memory it took. */
const [, , script = "", folder = "."] = process.argv;
const seen = { bytes: 0, lines: 0, damaged: 0 };
const lines = lineReader({ line: () => (seen.lines += 1), damaged: () => (seen.damaged += 1) });
const { PATH = "" } = process.env;
const { outputWhole, exitCode } = await runProcess({
  argv: ["sh", "-c", script],
  cwd: folder,
  env: { PATH },
  timeoutMs: 600_000,
  onOutput(chunk) {
    seen.bytes += chunk.length;
    lines.push(chunk);
  },
});
lines.end();
console.log(JSON.stringify({ ...seen, outputWhole, exitCode, residentBytes: resourceUsage().maxRSS * 1024 }));
