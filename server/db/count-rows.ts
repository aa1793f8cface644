import { type SelectQueryBuilder, sql } from "kysely";

/** How many rows a query finds. @param found selects no columns */
export async function countRows<Found, Tables extends keyof Found>(
  found: SelectQueryBuilder<Found, Tables, object>,
): Promise<number> {
  const counted = found.select(sql<number>`count(*)`.as("rows")).$castTo<{ rows: number }>();
  return (await counted.executeTakeFirstOrThrow()).rows;
}
