import { expect } from "vitest";
import { openCounter } from "#server/db/ledger.ts";
import type { Db } from "#server/db/open.ts";
import { countRows } from "#server/db/results.ts";

/** Checks that each user's stored sum equals the sum of their rows. */
export async function expectSums(db: Db): Promise<void> {
  const count = await openCounter(db);
  const sums = await db.selectFrom("storage_use").selectAll().execute();
  expect(sums.length).toBe(await countRows(db.selectFrom("users")));
  for (const { user_id, bytes } of sums) expect(bytes, "storage_use").toBe(await count(db, user_id));
}
