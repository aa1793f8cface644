import type { DeleteResult, SelectQueryBuilder, UpdateResult } from "kysely";
import type { Schema } from "./schema.ts";

/** Whether a statement has changed, or deleted, any row. */
export async function affectsAny(statement: { executeTakeFirst(): Promise<UpdateResult | DeleteResult> }): Promise<boolean> {
  const result = await statement.executeTakeFirst();
  return ("numUpdatedRows" in result ? result.numUpdatedRows : result.numDeletedRows) > 0n;
}

/** Whether a query finds any row. */
export async function findsAny(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** The ids that a query selects. */
export async function idsOf(query: { execute(): Promise<readonly { id: string }[]> }): Promise<string[]> {
  return (await query.execute()).map(({ id }) => id);
}

/** How many rows a query without a selection has. */
export async function countRows<Tables extends keyof Schema>(query: SelectQueryBuilder<Schema, Tables, object>): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return Number(count);
}
