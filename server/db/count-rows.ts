import { type SelectQueryBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** How many rows a query finds. @param found selects no columns */
export async function countRows<Tables extends keyof Schema>(found: SelectQueryBuilder<Schema, Tables, object>): Promise<number> {
  const counted = found.select(sql<number>`count(*)`.as("rows")).$castTo<{ rows: number }>();
  return (await counted.executeTakeFirstOrThrow()).rows;
}
