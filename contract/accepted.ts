import * as v from "valibot";

// The page's schemas for responses are derived from our server's. SPEC.md's fields are required; all others have a
// default. A field that is missing, null, or of another type gets the default (`v.fallback`); unknown fields are
// dropped.

/** An id: a number on some servers. */
export const AcceptedId = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

/** The valid rows of a list: rows without their required fields are dropped. */
export function acceptedRows<Row extends v.GenericSchema>(row: Row) {
  return v.pipe(
    v.array(v.unknown()),
    v.transform((items) =>
      items.flatMap((item) => {
        const found = v.safeParse(row, item);
        return found.success ? [found.output] : [];
      }),
    ),
  );
}
