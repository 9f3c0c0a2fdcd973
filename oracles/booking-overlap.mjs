// Bookings of rooms: random requests against a plain reference that works in whole minutes.
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

const pick = generator(31337);
const oneOf = (list) => list[pick(list.length)];

const origin = Date.UTC(2024, 4, 31, 6);
const offsets = [
  ["Z", 0],
  ["+01:00", 60],
  ["+02:00", 120],
  ["-05:30", -330],
  ["+13:00", 780],
];

/** A text for the instant so many minutes after the origin, in any of the ways to write it. */
function written(minute) {
  const [suffix, offset] = oneOf(offsets);
  const text = new Date(origin + (minute + offset) * 60_000).toISOString();
  return text.slice(0, oneOf([16, 16, 19, 23])) + suffix;
}

const rooms = { red: {}, blue: { cleaningMinutes: 15 }, green: { cleaningMinutes: 60 } };
const cleaning = (room) => rooms[room].cleaningMinutes ?? 0;

/** Times lie on quarters of an hour, so that bookings often touch. */
function period(longest) {
  const from = 15 * pick(48);
  const to = from + 15 * (1 + pick(longest));
  return { from, to, start: written(from), end: written(to) };
}

/** Requests of one scenario. A request for a booking names it by the index of the request that made it. */
function scenario() {
  const requests = [];
  for (let index = 0; index < 45; index += 1) {
    const room = oneOf(Object.keys(rooms));
    const kind = oneOf(["book", "book", "book", "book", "reschedule", "reschedule", "cancel", "list", "free", "free"]);
    const made = requests.flatMap((request, at) => (request.kind === "book" ? [at] : []));
    if (kind === "book" || made.length === 0) {
      requests.push({ kind: "book", room, title: `t${index}`, ...period(pick(4) === 0 ? 20 : 6) });
    } else if (kind === "reschedule") {
      const request = { kind, target: oneOf(made), ...period(8) };
      const what = pick(6);
      if (what === 0) request.room = room;
      else if (what === 1) Object.assign(request, { room, start: undefined, end: undefined });
      else if (what === 2) request.room = "nowhere";
      else if (what === 3) Object.assign(request, { end: request.start, to: request.from });
      requests.push(request);
    } else if (kind === "cancel") {
      requests.push({ kind, target: oneOf(made) });
    } else {
      requests.push({ kind, room, minMinutes: oneOf([0, 0, 30, 90]), ...period(40) });
    }
  }
  for (const room of Object.keys(rooms)) {
    requests.push({ kind: "list", room, from: -3000, to: 6000, start: written(-3000), end: written(6000) });
  }
  return requests;
}

/** What the rules of the issue make of the requests. */
function reference(requests) {
  let bookings = [];
  const view = ({ label, room, title, start, end }) => ({ label, room, title, start, end });
  const inOrder = (list) => [...list].sort((a, b) => a.from - b.from);
  const fits = (room, from, to, own) =>
    inOrder(
      bookings.filter(
        (other) =>
          other.label !== own &&
          other.room === room &&
          from < other.to + cleaning(room) &&
          other.from < to + cleaning(room),
      ),
    );
  const place = (booking) => {
    if (booking.room === "nowhere") return { error: "NotFoundError" };
    if (booking.from >= booking.to) return { error: "InvalidPeriodError" };
    const conflicts = fits(booking.room, booking.from, booking.to, booking.label);
    if (conflicts.length > 0) return { error: "ConflictError", conflicts: conflicts.map((other) => other.label) };
    bookings = [...bookings.filter((other) => other.label !== booking.label), booking];
    return view(booking);
  };
  return requests.map((request, label) => {
    const { kind, room, target, from, to } = request;
    const booking = bookings.find((other) => other.label === target);
    switch (kind) {
      case "book":
        return place({ ...request, label });
      case "reschedule": {
        if (booking === undefined) return { error: "NotFoundError" };
        const time = request.start === undefined ? booking : request;
        return place({
          ...booking,
          room: room ?? booking.room,
          ...{ from: time.from, to: time.to, start: time.start, end: time.end },
        });
      }
      case "cancel":
        if (booking === undefined) return { error: "NotFoundError" };
        bookings = bookings.filter((other) => other !== booking);
        return null;
      case "list":
        return inOrder(bookings.filter((other) => other.room === room && other.from < to && from < other.to)).map(view);
      case "free": {
        const free = [];
        let start = null;
        for (let minute = from; minute <= to; minute += 1) {
          const open = minute < to && fits(room, minute, minute + 1).length === 0;
          if (open && start === null) start = minute;
          if (!open && start !== null) {
            if (minute - start >= request.minMinutes) free.push([start, minute]);
            start = null;
          }
        }
        const text = (minute) => new Date(origin + minute * 60_000).toISOString();
        return free.map(([begin, end]) => ({ start: text(begin), end: text(end) }));
      }
    }
  });
}

const scenarios = Array.from({ length: 40 }, scenario);

const observed = drive(
  `
  const { BookingService } = await load("src/booking-service.js");
  const { rooms, scenarios } = input;
  const results = scenarios.map((requests) => {
    const service = new BookingService(rooms);
    const ids = new Map(), labels = new Map();
    const view = ({ id, room, title, start, end }) => ({ label: labels.get(id) ?? id, room, title, start, end });
    return requests.map(({ kind, room, title, start, end, minMinutes, target }, label) => {
      const id = ids.get(target) ?? "none";
      try {
        if (kind === "book") {
          const booking = service.book({ room, title, start, end });
          ids.set(label, booking.id);
          labels.set(booking.id, label);
          return view(booking);
        }
        if (kind === "reschedule") {
          const changes = { ...(room && { room }), ...(start && { start, end }) };
          const before = ids.has(target) && (() => { try { return service.get(id); } catch { return null; } })();
          try {
            const booking = service.reschedule(id, changes);
            if (JSON.stringify(view(service.get(id))) !== JSON.stringify(view(booking))) return "not what get gives";
            return view(booking);
          } catch (error) {
            if (before && JSON.stringify(service.get(id)) !== JSON.stringify(before)) return "changed by a refusal";
            throw error;
          }
        }
        if (kind === "cancel") return service.cancel(id) ?? null;
        if (kind === "list") return service.list(room, { start, end }).map(view);
        return service.free(room, { start, end, minMinutes });
      } catch (error) {
        const conflicts = error.conflicts?.map((other) => labels.get(other) ?? other);
        return { error: error.name, ...(conflicts && { conflicts }) };
      }
    });
  });
  report(results);
  `,
  { rooms, scenarios },
);

for (const [index, requests] of scenarios.entries()) {
  const expected = reference(requests);
  for (const [at, request] of requests.entries()) {
    const where = `scenario ${index}, request ${at}: ${JSON.stringify(request)}`;
    same(observed[index][at], expected[at], where);
  }
}

keepsTests({
  "test/booking-service.test.js": [
    "books a room and lists it",
    "refuses a period that begins or ends in another one",
    "a cancelled booking makes room",
    "reschedules to a free time and another room",
    "lists what is free",
    "refuses what is no period",
  ],
});
