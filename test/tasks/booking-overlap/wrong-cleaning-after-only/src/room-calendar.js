import { overlaps } from "./period.js";

/**
 * @typedef {object} Booking
 * @property {string} id
 * @property {string} room
 * @property {string} title
 * @property {string} start as the client wrote it
 * @property {string} end as the client wrote it
 * @property {import("./period.js").Period} period
 */

/** The bookings of one room. After each, the room is cleaned before the next may begin. */
export class RoomCalendar {
  /** @type {Booking[]} in order of their start */
  #bookings = [];
  #cleaningMs;

  constructor({ cleaningMinutes = 0 } = {}) {
    this.#cleaningMs = cleaningMinutes * 60_000;
  }

  /** @param {Booking} booking */
  add(booking) {
    const index = this.#bookings.findIndex((other) => other.period.start > booking.period.start);
    this.#bookings.splice(index === -1 ? this.#bookings.length : index, 0, booking);
  }

  /** @param {string} id */
  remove(id) {
    this.#bookings = this.#bookings.filter((booking) => booking.id !== id);
  }

  /**
   * The bookings that stand in the way of one in this period, the earliest first.
   *
   * @param {import("./period.js").Period} period
   * @param {string} [ownId] of the booking that is to be moved there
   * @returns {Booking[]}
   */
  conflicts(period, ownId) {
    return this.#bookings.filter((booking) => booking.id !== ownId && overlaps(this.#blocked(booking), period));
  }

  /**
   * The bookings that have time in common with the window.
   *
   * @param {import("./period.js").Period} window
   * @returns {Booking[]}
   */
  within(window) {
    return this.#bookings.filter((booking) => overlaps(booking.period, window));
  }

  /**
   * The periods within the window in which the room could be booked.
   *
   * @param {import("./period.js").Period} window
   * @returns {import("./period.js").Period[]}
   */
  free(window) {
    const periods = [];
    let start = window.start;
    for (const booking of this.conflicts(window)) {
      const blocked = this.#blocked(booking);
      if (blocked.start > start) periods.push({ start, end: blocked.start });
      start = blocked.end;
    }
    if (start < window.end) periods.push({ start, end: window.end });
    return periods;
  }

  /** When no other booking may be. */
  #blocked({ period }) {
    return { start: period.start, end: period.end + this.#cleaningMs };
  }
}
