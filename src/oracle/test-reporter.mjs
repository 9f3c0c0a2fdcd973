/**
 * A reporter of node:test that only remembers what failed: the exit code that node:test sets can be set again by anyone, and the
 * listener in which it does so can be removed.
 */
let started = 0;
let ended = 0;
let failed = false;

export default async function* reporter(events) {
  started++;
  for await (const { type, data } of events) {
    if (type === "test:fail" && (data.todo === undefined || data.todo === false)) failed = true;
  }
  ended++;
  yield "";
}

/** Starts node:test before any other code runs, so that its end is waited for. */
export function watch(process) {
  process.getBuiltinModule("node:test").before(() => undefined);
  return { state: () => ({ failed, unfinished: started === 0 || ended < started }) };
}
