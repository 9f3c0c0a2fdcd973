export { affected } from "./affected.js";
export { buildOrder } from "./build-order.js";
export { buildStages } from "./build-stages.js";
export { CycleError, UnknownPackageError } from "./errors.js";
export { findCycles } from "./find-cycles.js";
