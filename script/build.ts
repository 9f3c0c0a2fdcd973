/** Compiles to dist/. */
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
execFileSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
chmodSync("dist/script/harness-eval.js", 0o755);
