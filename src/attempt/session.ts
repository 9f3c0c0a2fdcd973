import { join } from "node:path";
import type { Agent } from "../agent/agent.ts";
import { buildFixture, type Fixture } from "../fixture/repository.ts";
import type { TemporaryFolder } from "../fixture/temporary.ts";
import type { Confinement } from "./confinement.ts";
import type { ResolvedArm, ResolvedManifest, ResolvedTask } from "../manifest/resolved.ts";
import type { Warning } from "../problem.ts";

/** What the attempts of one cohort share. */
export interface Session {
  manifest: ResolvedManifest;
  agent: Agent;
  /** The operator's environment. */
  env: Readonly<Record<string, string>>;
  /** Absolute path of a temporary folder that lives as long as the session. */
  folder: string;
  signal: AbortSignal;
  confinement: Confinement;
  /** The template repository of a task, built once. */
  fixture(task: number): Promise<Fixture>;
  /** Removes a folder while the next attempt is prepared. */
  discard(folder: TemporaryFolder): void;
  /** Waits until what was discarded is gone, so that no attempt runs beside it; what could not be removed is a warning. */
  settle(): Promise<Warning[]>;
}

export function openSession(input: Omit<Session, "fixture" | "discard" | "settle">): Session {
  const fixtures = new Map<number, Promise<Fixture>>();
  let removals: Promise<Warning | null>[] = [];
  return {
    ...input,
    fixture(task) {
      let fixture = fixtures.get(task);
      if (fixture === undefined) {
        fixture = buildFixture(taskAt(input.manifest, task).files, join(input.folder, `fixture-${task}`), input.env);
        fixtures.set(task, fixture);
      }
      return fixture;
    },
    discard: (folder) => void removals.push(folder.remove()),
    async settle() {
      const settled = removals;
      removals = [];
      return (await Promise.all(settled)).filter((warning) => warning !== null);
    },
  };
}

/** @throws RangeError for an index that the plan cannot hold. */
export function taskAt(manifest: ResolvedManifest, index: number): ResolvedTask {
  const task = manifest.tasks[index];
  if (task === undefined) throw new RangeError(`No task ${index}`);
  return task;
}

/** argv of the arm's CLI: its own command or the agent's default one. */
export function commandOf(agent: Agent, arm: ResolvedArm): readonly string[] {
  return arm.command.length > 0 ? arm.command : agent.defaultCommand;
}

export function promptOf(task: ResolvedTask, arm: ResolvedArm): string {
  // A replacement function, since a prompt may hold `$&` and the like.
  return arm.promptTemplate === undefined ? task.prompt : arm.promptTemplate.replace("{prompt}", () => task.prompt);
}
