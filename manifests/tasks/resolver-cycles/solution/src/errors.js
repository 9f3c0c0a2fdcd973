export class UnknownPackageError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "UnknownPackageError";
  }
}

export class CycleError extends Error {
  /** @param {readonly string[]} cycle each package needs the next one; the first one is repeated at the end */
  constructor(cycle) {
    super(`dependency cycle: ${cycle.join(" -> ")}`);
    this.name = "CycleError";
    this.cycle = cycle;
  }
}
