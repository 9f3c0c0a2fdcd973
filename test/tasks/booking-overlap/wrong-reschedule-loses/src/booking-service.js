import { ConflictError, NotFoundError } from "./errors.js";
import { readPeriod } from "./period.js";
import { RoomCalendar } from "./room-calendar.js";

/** Books rooms. Instants come and go as ISO 8601 texts with an offset. */
export class BookingService {
  /** @type {Map<string, RoomCalendar>} */
  #calendars = new Map();
  /** @type {Map<string, import("./room-calendar.js").Booking>} */
  #bookings = new Map();
  #lastNumber = 0;

  /** @param {Record<string, { cleaningMinutes?: number }>} rooms settings by name */
  constructor(rooms) {
    for (const [name, settings] of Object.entries(rooms)) this.#calendars.set(name, new RoomCalendar(settings));
  }

  /**
   * @param {{ room: string, title: string, start: string, end: string }} request
   * @throws {InvalidPeriodError | NotFoundError | ConflictError}
   */
  book(request) {
    this.#lastNumber += 1;
    return this.#place(`b${this.#lastNumber}`, request);
  }

  /**
   * Moves a booking to another time, another room, or both.
   *
   * @param {string} id
   * @param {{ room?: string, start?: string, end?: string }} changes
   * @throws {InvalidPeriodError | NotFoundError | ConflictError}
   */
  reschedule(id, changes) {
    const booking = this.#find(id);
    const { room = booking.room, start = booking.start, end = booking.end } = changes;
    this.cancel(id);
    return this.#place(id, { room, title: booking.title, start, end });
  }

  /** @throws {NotFoundError} */
  cancel(id) {
    const booking = this.#find(id);
    this.#calendar(booking.room).remove(id);
    this.#bookings.delete(id);
  }

  /** @throws {NotFoundError} */
  get(id) {
    return publicView(this.#find(id));
  }

  /** The bookings of a room that have time in common with the window, the earliest first. */
  list(room, { start, end }) {
    return this.#calendar(room).within(readPeriod(start, end)).map(publicView);
  }

  /** The periods within the window in which the room could be booked for at least `minMinutes`, in UTC. */
  free(room, { start, end, minMinutes = 0 }) {
    return this.#calendar(room)
      .free(readPeriod(start, end))
      .filter((period) => period.end - period.start >= minMinutes * 60_000)
      .map((period) => ({ start: new Date(period.start).toISOString(), end: new Date(period.end).toISOString() }));
  }

  #place(id, { room, title, start, end }) {
    const calendar = this.#calendar(room);
    const period = readPeriod(start, end);
    const conflicts = calendar.conflicts(period, id);
    if (conflicts.length > 0) {
      throw new ConflictError(
        room,
        conflicts.map((booking) => booking.id),
      );
    }
    const booking = { id, room, title, start, end, period };
    calendar.add(booking);
    this.#bookings.set(id, booking);
    return publicView(booking);
  }

  #calendar(room) {
    const calendar = this.#calendars.get(room);
    if (calendar === undefined) throw new NotFoundError(`room "${room}"`);
    return calendar;
  }

  #find(id) {
    const booking = this.#bookings.get(id);
    if (booking === undefined) throw new NotFoundError(`booking "${id}"`);
    return booking;
  }
}

function publicView({ id, room, title, start, end }) {
  return { id, room, title, start, end };
}
