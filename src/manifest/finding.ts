/** Keys and indexes from the root of a JSON document. */
export type JsonPath = readonly (string | number)[];

/** A place in a text; both are counted from 1, the column in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** Something wrong at one place of a manifest, before it is worded as a problem of a file. */
export interface Finding {
  path: JsonPath;
  /** A clause without a full stop. It holds no value. */
  message: string;
  /** The next step, as a clause without a full stop. */
  fix?: string;
  /** Shown instead of the value that stands at the path; null: no value is shown. */
  value?: string | null;
  /** Where it is found, when that is not where the path first leads to. */
  at?: Position;
}
