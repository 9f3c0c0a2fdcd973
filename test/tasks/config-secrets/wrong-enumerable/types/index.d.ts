export interface FieldOptions<T> {
  /** Makes the setting one that need not be given. */
  default?: T;
  /** Like a default of undefined. */
  optional?: boolean;
  /** Name of the environment variable, in place of the one made from the path. */
  env?: string;
  /** Never shown by problems, `dump` and loggers; may come from the file that the variable with `_FILE` at its end names. */
  secret?: boolean;
  /** For `describe`. */
  description?: string;
}

export interface IntegerOptions extends FieldOptions<number> {
  min?: number;
  max?: number;
}

/** One setting, as `string`, `integer` and so on make it. */
export interface Field<T> {
  readonly type: "string" | "integer" | "boolean" | "duration" | "choice";
  /** Only for the type checker. */
  readonly __value?: T;
}

type Value<T, Options> = Options extends { optional: true } ? T | undefined : T;

export function string<const O extends FieldOptions<string>>(options?: O): Field<Value<string, O>>;
export function integer<const O extends IntegerOptions>(options?: O): Field<Value<number, O>>;
export function boolean<const O extends FieldOptions<boolean>>(options?: O): Field<Value<boolean, O>>;
/** Milliseconds; written as `250ms`, `30s`, `5m` or `2h`. */
export function duration<const O extends FieldOptions<number>>(options?: O): Field<Value<number, O>>;
export function choice<const C extends string, const O extends FieldOptions<C>>(
  choices: readonly C[],
  options?: O,
): Field<Value<C, O>>;

export interface Shape {
  readonly [name: string]: Field<unknown> | Shape;
}

/** What `loadConfig` makes of a shape. */
export type Config<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : S[K] extends Shape ? Config<S[K]> : never;
};

export interface Schema<S extends Shape> {
  readonly shape: S;
}

/** @throws TypeError for a shape or options that make no sense */
export function defineConfig<const S extends Shape>(shape: S): Schema<S>;

export interface LoadOptions {
  env?: Readonly<Record<string, string | undefined>>;
  /** Put before the names of environment variables, with an underscore. */
  prefix?: string;
  /** The parsed configuration file. */
  file?: unknown;
  /** Reads the file of a secret; from disk as UTF-8 by default. */
  readFile?: (path: string) => string;
}

/** @throws ConfigError with all problems */
export function loadConfig<S extends Shape>(schema: Schema<S>, options?: LoadOptions): Config<S>;

/** A line for each setting. */
export function describe<S extends Shape>(schema: Schema<S>, options?: { prefix?: string }): string;

/** A line for each setting with its value. */
export function dump<S extends Shape>(schema: Schema<S>, config: Config<S>): string;

export class ConfigError extends Error {
  constructor(problems: readonly string[]);
  readonly problems: readonly string[];
}
