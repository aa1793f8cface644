import { type DeleteResult, type SelectQueryBuilder, sql, type UpdateResult } from "kysely";

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
export async function countRows<Found, Tables extends keyof Found>(
  query: SelectQueryBuilder<Found, Tables, object>,
): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as("rows")).$castTo<{ rows: number }>();
  return Number((await counted.executeTakeFirstOrThrow()).rows);
}
