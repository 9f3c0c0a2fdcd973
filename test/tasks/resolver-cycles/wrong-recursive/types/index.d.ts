/** The parts of a package's manifest that matter. */
export interface Package {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface GraphOptions {
  /** Whether dependencies for development count; true by default. */
  dev?: boolean;
}

export interface BuildOptions extends GraphOptions {
  /** Builds only these packages and what they need; all by default. */
  only?: readonly string[];
}

/**
 * Names in an order in which every package comes behind its dependencies.
 *
 * @throws UnknownPackageError
 * @throws CycleError when one that would be built lies on a cycle
 */
export function buildOrder(packages: readonly Package[], options?: BuildOptions): string[];

/**
 * Names in groups; a package is in the first group that comes behind those of all its dependencies.
 *
 * @throws UnknownPackageError
 * @throws CycleError when one that would be built lies on a cycle
 */
export function buildStages(packages: readonly Package[], options?: BuildOptions): string[][];

/**
 * Names of the changed packages and of all that need them, directly or not, sorted.
 *
 * @throws UnknownPackageError
 */
export function affected(packages: readonly Package[], changed: readonly string[], options?: GraphOptions): string[];

/**
 * The groups of packages that need each other, directly or not: each group sorted, the groups in order of their first names.
 * A package alone is a group only if it needs itself.
 */
export function findCycles(packages: readonly Package[], options?: GraphOptions): string[][];

/** Packages need each other. */
export class CycleError extends Error {
  constructor(cycle: readonly string[]);
  /** Each package needs the next one. Starts with the name that sorts first, which is repeated at the end. */
  readonly cycle: readonly string[];
}

/** `only` or `changed` names a package that is not there, or two packages have the same name. */
export class UnknownPackageError extends Error {
  constructor(message: string);
}
