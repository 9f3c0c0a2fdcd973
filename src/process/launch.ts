import type { ProcessSpec } from "./process.ts";
import { sandboxArguments, wrapped } from "./sandbox.ts";

/** What a program finds on a descriptor: nothing, a stream, or these bytes. */
type Descriptor = "ignore" | "pipe" | Uint8Array;
/** Standard error may be the runner's own. */
type Descriptors = ["ignore", "ignore" | "pipe", "ignore" | "inherit", ...Descriptor[]];

/** What is really started for a spec, and which descriptor of it carries what. */
export interface Launch {
  argv: string[];
  stdio: Descriptors;
  /** Descriptors of the sandbox's own word; null without one. */
  sandbox: { bwrap: number; wrapper: number } | null;
}

/** The descriptor on which a program gives its result. */
export const resultDescriptor = 4;

export function launchOf(spec: ProcessSpec): Launch {
  const { argv, sandbox } = spec;
  const stdio: Descriptors = [
    "ignore",
    spec.onOutput === undefined ? "ignore" : "pipe",
    spec.stderr ?? "ignore",
    ...ownDescriptors(spec),
  ];
  if (sandbox === undefined) return { argv: [...argv], stdio, sandbox: null };
  const [settings, bwrap, wrapper] = [stdio.length, stdio.length + 1, stdio.length + 2];
  // On a descriptor, so that no list of processes shows what is hidden.
  const list = Buffer.from(
    sandboxArguments(sandbox, spec.cwd)
      .map((argument) => `${argument}\0`)
      .join(""),
  );
  const fixed = [sandbox.program, "--args", String(settings), "--json-status-fd", String(bwrap), "--"];
  return {
    argv: [...fixed, ...wrapped(argv, wrapper)],
    stdio: [...stdio, list, "pipe", "pipe"],
    sandbox: { bwrap, wrapper },
  };
}

/** Descriptor 3, and then that of the result. */
function ownDescriptors({ input, resultBytes }: ProcessSpec): Descriptor[] {
  const result: Descriptor[] = resultBytes === undefined ? [] : ["pipe"];
  if (input !== undefined) return [Buffer.from(input), ...result];
  return resultBytes === undefined ? [] : ["ignore", ...result];
}
