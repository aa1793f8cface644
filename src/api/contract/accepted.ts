import * as v from "valibot";

// What the page takes from a server is derived from what ours sends: SPEC.md's fields, and a default for everything else. A field that
// is missing, null, or something else under the same name gets the default (`v.fallback`); fields that nobody knows are left out.

/** A name for something: a number at some servers. */
export const AcceptedId = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

/** The rows of a list that can be read: one that lacks what makes it one is left out. */
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
