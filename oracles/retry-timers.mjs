// A retry helper that cleans up after itself: scenarios in one process, and after each what still keeps that process alive.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const workspace = process.argv[1];
const limits = { env: { TZ: "UTC" }, encoding: "utf8", timeout: 12_000, killSignal: "SIGKILL", maxBuffer: 1 << 25 };

/** Runs `body` in a process of its own, so that the workspace's code never shares one with these asserts. */
function drive(body, input) {
  const marker = randomUUID();
  const head = `
    const input = ${JSON.stringify(input)};
    const load = (path) => import(new URL(path, ${JSON.stringify(pathToFileURL(`${workspace}/`).href)}));
    const report = (value) =>
      process.stdout.write("\\n${marker}" + JSON.stringify(value) + "\\n", () => process.exit(0));
  `;
  const child = spawnSync(process.execPath, ["--input-type=module", "-"], { ...limits, input: head + body });
  const line = child.stdout.split("\n").find((text) => text.startsWith(marker));
  assert.ok(line !== undefined, "the workspace's code runs to its end");
  return JSON.parse(line.slice(marker.length));
}

/** The tests that came with the fixture are still there, and pass. */
function keepsTests(titles) {
  for (const [file, names] of Object.entries(titles)) {
    const text = readFileSync(join(workspace, file), "utf8");
    for (const name of names) assert.ok(text.includes(name), `${file} keeps the test "${name}"`);
  }
  const child = spawnSync(process.execPath, ["--test", ...Object.keys(titles)], { ...limits, cwd: workspace });
  assert.equal(child.status, 0, "the existing tests pass");
}

/** Equal as JSON, whatever the order of keys. (assert.deepEqual draws the difference, which takes minutes for long values.) */
function same(actual, expected, where = "values") {
  const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  const keysInOrder = (_key, value) =>
    Object.prototype.toString.call(value) === "[object Object]" ? sorted(value) : value;
  const [found, wanted] = [actual, expected].map((value) => String(JSON.stringify(value, keysInOrder)));
  assert.ok(found === wanted, `${where}: ${found.slice(0, 300)} instead of ${wanted.slice(0, 300)}`);
}

/** Whole numbers from 0 to below `bound`, the same ones in every run. */
function generator(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const pick = generator(4711);
const schedules = Array.from({ length: 12 }, () => {
  const attempts = 1 + pick(4);
  return {
    attempts,
    failures: pick(attempts + 1),
    baseMs: 1 + pick(6),
    maxMs: 2 + pick(9),
    random: Array.from({ length: attempts }, () => pick(1000) / 1000),
  };
});

const seen = drive(
  `
  const { getEventListeners } = await import("node:events");
  const { retry, fetchJson, TimeoutError, HttpError } = await load("src/index.js");
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const unhandled = [];
  process.on("unhandledRejection", (error) => unhandled.push(String(error)));
  const never = () => new Promise(() => {});

  const seen = {};
  /** Runs a scenario; notes its result, what it left behind, and whatever it adds to \`notes\`. Ends all at the first that hangs or leaks. */
  async function scenario(name, run) {
    const controller = new AbortController();
    const notes = [];
    const give = (error) => {
      if (error === controller.signal.reason) return "the reason";
      return error instanceof TimeoutError ? "TimeoutError " + error.limitMs : String(error?.message ?? error);
    };
    const result = await Promise.race([
      run({ controller, signal: controller.signal, notes, give }).then(
        (value) => ({ value }),
        (error) => ({ error: give(error) }),
      ),
      new Promise((resolve) => setTimeout(resolve, 4000, { hung: true }).unref()),
    ]);
    await turn();
    const timers = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const listeners = getEventListeners(controller.signal, "abort").length;
    seen[name] = { ...result, timers, listeners, notes };
    if (timers + listeners === 0 && !result.hung) return;
    report({ seen, unhandled });
    await never();
  }

  for (const [index, { attempts, failures, baseMs, maxMs, random }] of input.entries()) {
    await scenario("schedule " + index, ({ signal, notes }) => {
      let drawn = 0;
      return retry(
        async ({ attempt }) => {
          if (attempt <= failures) throw new Error("failure " + attempt);
          return "success " + attempt;
        },
        {
          attempts, baseMs, maxMs, signal,
          attemptTimeoutMs: 60_000,
          random: () => random[drawn++],
          onRetry: ({ attempt, delayMs, error }) => notes.push([attempt, delayMs, error.message]),
        },
      );
    });
  }

  await scenario("one signal for many calls", async ({ signal, notes }) => {
    for (let call = 0; call < 30; call += 1) {
      await retry(async ({ attempt }) => { if (attempt === 1) throw new Error("once"); }, {
        signal, baseMs: 1, maxMs: 1, attemptTimeoutMs: call % 2 === 0 ? 50_000 : undefined,
      });
    }
  });

  await scenario("throws before it returns a promise", ({ signal, notes }) =>
    retry(({ attempt }) => { notes.push(attempt); if (attempt < 3) throw new Error("at once"); return "well"; }, {
      signal, baseMs: 1, attemptTimeoutMs: 50_000,
    }));

  await scenario("throws before it returns a promise, without success", ({ signal }) =>
    retry(() => { throw new Error("at once"); }, { signal, attempts: 2, baseMs: 1, attemptTimeoutMs: 50_000 }));

  await scenario("aborted during a wait", ({ controller, signal, notes }) =>
    retry(async ({ attempt }) => { notes.push(attempt); throw new Error("no"); }, {
      signal, baseMs: 60_000, maxMs: 60_000,
      onRetry: () => setImmediate(() => controller.abort(new Error("enough"))),
    }));

  await scenario("aborted just before a wait", ({ controller, signal, notes }) =>
    retry(async ({ attempt }) => { notes.push(attempt); throw new Error("no"); }, {
      signal, baseMs: 60_000, maxMs: 60_000, onRetry: () => controller.abort(new Error("enough")),
    }));

  for (const limit of [undefined, 60_000]) {
    await scenario("aborted during an attempt, limit " + (limit ?? "none"), ({ controller, signal, notes, give }) =>
      retry(
        ({ attempt, signal: own }) => {
          notes.push(attempt);
          own.addEventListener("abort", () => notes.push(give(own.reason)));
          setImmediate(() => controller.abort(new Error("enough")));
          return never();
        },
        {
          signal, baseMs: 1, attemptTimeoutMs: limit,
          shouldRetry: () => { notes.push("shouldRetry"); return true; },
          onRetry: () => notes.push("onRetry"),
        },
      ));
  }

  await scenario("aborted, and the operation rejects by itself", ({ controller, signal, notes }) =>
    retry(
      ({ attempt, signal: own }) => new Promise((_resolve, reject) => {
        notes.push(attempt);
        own.addEventListener("abort", () => reject(new Error("interrupted")));
        setImmediate(() => controller.abort());
      }),
      { signal, baseMs: 1, onRetry: () => notes.push("onRetry"), shouldRetry: () => { notes.push("shouldRetry"); return true; } },
    ));

  await scenario("already aborted", async ({ controller, signal, notes }) => {
    controller.abort("closed");
    await retry(async () => notes.push("called"), { signal, baseMs: 1, attemptTimeoutMs: 60_000 });
  });

  const late = [];
  await scenario("attempts out of time", ({ signal, notes, give }) =>
    retry(
      ({ attempt, signal: own }) => {
        own.addEventListener("abort", () => notes.push(attempt, give(own.reason)));
        return attempt === 3 ? Promise.resolve("third") : new Promise((...settle) => late.push(settle));
      },
      { signal, baseMs: 1, maxMs: 1, attemptTimeoutMs: 20 },
    ));
  late[0]?.[1](new Error("late")); late[1]?.[0]("late");

  let hold;
  await scenario("late after an abort", ({ controller, signal }) =>
    retry(() => {
      setImmediate(() => controller.abort());
      return new Promise((_resolve, reject) => { hold = reject; });
    }, { signal, attemptTimeoutMs: 60_000 }));
  hold(new Error("late"));
  await turn(); await turn();

  const responses = [new Response("", { status: 503, headers: { "retry-after": "0.002" } }), Response.json([7])];
  await scenario("fetchJson", ({ signal, notes }) => fetchJson("https://example.org/x", {
    signal, baseMs: 60_000, headers: { "x-a": "b" },
    onRetry: ({ delayMs }) => notes.push(delayMs),
    fetch: async (url, { headers }) => { notes.push(url, headers.accept, headers["x-a"]); return responses.shift(); },
  }));
  await scenario("fetchJson, no success", ({ signal, notes }) => fetchJson("https://example.org/x", {
    signal, fetch: async () => { notes.push("called"); return new Response("", { status: 403 }); },
  }));
  await scenario("fetchJson, aborted", ({ controller, signal }) => fetchJson("https://example.org/x", {
    signal, baseMs: 1, fetch: () => { setImmediate(() => controller.abort()); return never(); },
  }));

  report({ seen, unhandled });
  `,
  schedules,
);

const clean = { timers: 0, listeners: 0 };
const expected = {
  "one signal for many calls": { notes: [] },
  "throws before it returns a promise": { value: "well", notes: [1, 2, 3] },
  "throws before it returns a promise, without success": { error: "at once", notes: [] },
  "aborted during a wait": { error: "the reason", notes: [1] },
  "aborted just before a wait": { error: "the reason", notes: [1] },
  "aborted during an attempt, limit none": { error: "the reason", notes: [1, "the reason"] },
  "aborted during an attempt, limit 60000": { error: "the reason", notes: [1, "the reason"] },
  "aborted, and the operation rejects by itself": { error: "the reason", notes: [1] },
  "already aborted": { error: "the reason", notes: [] },
  "attempts out of time": { value: "third", notes: [1, "TimeoutError 20", 2, "TimeoutError 20"] },
  "late after an abort": { error: "the reason", notes: [] },
  fetchJson: {
    value: [7],
    notes: ["https://example.org/x", "application/json", "b", 2, "https://example.org/x", "application/json", "b"],
  },
  "fetchJson, no success": { error: "the server answered 403", notes: ["called"] },
  "fetchJson, aborted": { error: "the reason", notes: [] },
};
for (const [index, { attempts, failures, baseMs, maxMs, random }] of schedules.entries()) {
  const retries = Math.min(failures, attempts - 1);
  const notes = Array.from({ length: retries }, (_, turn) => {
    const full = Math.min(maxMs, baseMs * 2 ** turn);
    return [turn + 1, Math.round(full / 2 + (full / 2) * random[turn]), `failure ${turn + 1}`];
  });
  const end = failures < attempts ? { value: `success ${failures + 1}` } : { error: `failure ${attempts}` };
  expected[`schedule ${index}`] = { ...end, notes };
}

for (const [name, result] of Object.entries(expected)) {
  same(seen.seen[name], { ...result, ...clean }, name);
}
same(seen.unhandled, [], "no unhandled rejection");

keepsTests({
  "test/retry.test.js": [
    "gives back the first success",
    "rejects with the error of the last attempt",
    "does not try again what is not worth it",
    "waits longer after each failure",
    "limits the time of an attempt",
  ],
  "test/fetch-json.test.js": ["tries again when the server is busy", "does not try again after a mistake of ours"],
});
