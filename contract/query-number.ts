import * as v from "valibot";

/** A number in the query of a list, at least 1. */
export const QueryNumber = (fallback: number, most: number) =>
  v.pipe(v.optional(v.string(), String(fallback)), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1), v.maxValue(most));
