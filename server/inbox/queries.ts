import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny, countRows } from "#server/db/results.ts";
import type { InboxTable, WaitlistTable } from "./tables.ts";

/** @returns false when it existed already */
export async function putInInbox(db: Db, message: Insertable<InboxTable>): Promise<boolean> {
  const added = await db
    .insertInto("inbox")
    .values(message)
    .onConflict((conflict) => conflict.column("client_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Adds an address to the waiting list; an existing one keeps its place. @returns false if it existed */
export async function joinWaitlist(db: Db, entry: { email: string; language: string; created_at: number }): Promise<boolean> {
  const added = await db
    .insertInto("waitlist")
    .values(entry)
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("email")
    .executeTakeFirst();
  return added !== undefined;
}

export type InboxRow = Selectable<InboxTable>;

/** Filter of messages; absent: any. */
interface InboxFilter {
  kind?: InboxRow["kind"] | undefined;
  handled?: boolean | undefined;
}

function narrowed(db: Db, { kind, handled }: InboxFilter) {
  let found = db.selectFrom("inbox");
  if (kind !== undefined) found = found.where("kind", "=", kind);
  if (handled !== undefined) found = found.where("handled_at", handled ? "is not" : "is", null);
  return found;
}

export function countInbox(db: Db, filter: InboxFilter): Promise<number> {
  return countRows(narrowed(db, filter));
}

/** The newest first. */
export function listInbox(
  db: Db,
  filter: InboxFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<InboxRow[]> {
  const newest = narrowed(db, filter).selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
  return newest.limit(limit).offset(offset).execute();
}

/** @param handledAt epoch ms; null: not handled @returns undefined when it does not exist */
export function handleMessage(db: Db, id: string, handledAt: number | null): Promise<InboxRow | undefined> {
  return db.updateTable("inbox").set({ handled_at: handledAt }).where("id", "=", id).returningAll().executeTakeFirst();
}

/** @returns false when it did not exist */
export function removeMessage(db: Db, id: string): Promise<boolean> {
  return affectsAny(db.deleteFrom("inbox").where("id", "=", id));
}

/** Deletes messages from an address, whoever had it then. */
export async function deleteMessagesFrom(t: Db, email: string): Promise<void> {
  await t.deleteFrom("inbox").where("email", "=", email).execute();
}

export async function leaveWaitlist(t: Db, email: string): Promise<void> {
  await t.deleteFrom("waitlist").where("email", "=", email).execute();
}

export function countWaitlist(db: Db): Promise<number> {
  return countRows(db.selectFrom("waitlist"));
}

/**
 * The longest waiting first.
 * @param part of the list; absent: the whole list
 */
export function listWaitlist(db: Db, part?: { limit: number; offset: number }): Promise<Selectable<WaitlistTable>[]> {
  const all = db.selectFrom("waitlist").selectAll().orderBy("created_at").orderBy("email");
  return (part === undefined ? all : all.limit(part.limit).offset(part.offset)).execute();
}
