import type { Insertable } from "kysely";
import type { Db } from "./open.ts";
import type { InboxTable } from "./schema.ts";

/** @returns false when it was there already */
export async function putInInbox(db: Db, message: Insertable<InboxTable>): Promise<boolean> {
  const added = await db
    .insertInto("inbox")
    .values(message)
    .onConflict((conflict) => conflict.column("client_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Puts an address on the waiting list; one that is there keeps its place. @returns false for such a one */
export async function joinWaitlist(db: Db, entry: { email: string; language: string; created_at: number }): Promise<boolean> {
  const added = await db
    .insertInto("waitlist")
    .values(entry)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("email")
    .executeTakeFirst();
  return added !== undefined;
}
