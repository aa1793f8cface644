import type { Selectable } from "kysely";
import type { ShareRole } from "#contract/index.ts";
import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import { findsAny } from "#server/db/results.ts";
import { nextRevision } from "#server/transcription/queries.ts";
import type { TranscriptionShareTable } from "./tables.ts";

export type ShareRow = Selectable<TranscriptionShareTable>;

/**
 * The people of one of this person's transcriptions, without expired offers.
 * @param now epoch ms
 */
export function listPeople(db: Db, ownerId: string, transcriptionId: string, now: number): Promise<ShareRow[]> {
  return db
    .selectFrom("transcription_shares")
    .selectAll()
    .where((eb) => eb.and({ transcription_id: transcriptionId, owner_id: ownerId }))
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/**
 * Replaces an expired offer to the same address.
 * @returns false, without a change, if there is a valid one
 */
export async function insertShare(t: Db, row: ShareRow): Promise<boolean> {
  await t
    .deleteFrom("transcription_shares")
    .where((eb) => eb.and({ transcription_id: row.transcription_id, email: row.email }))
    .where("expires_at", "<=", row.created_at)
    .execute();
  return findsAny(
    t
      .insertInto("transcription_shares")
      .values(row)
      .onConflict((conflict) => conflict.columns(["transcription_id", "email"]).doNothing())
      .returning("id"),
  );
}

interface Owned {
  id: string;
  ownerId: string;
  transcriptionId: string;
}

/** @returns the share afterwards; undefined when this transcription of this person has none with this id */
export async function changeRole(t: Db, { id, ownerId, transcriptionId }: Owned, role: ShareRole): Promise<ShareRow | undefined> {
  const row = await t
    .updateTable("transcription_shares")
    .set({ role })
    .where((eb) => eb.and({ id, owner_id: ownerId, transcription_id: transcriptionId }))
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) await noteShareChange(t, row);
  return row;
}

/** Taken away by its owner. @returns whether there was one */
export async function withdrawShare(t: Db, { id, ownerId, transcriptionId }: Owned): Promise<boolean> {
  const row = await t
    .deleteFrom("transcription_shares")
    .where((eb) => eb.and({ id, owner_id: ownerId, transcription_id: transcriptionId }))
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) await noteShareChange(t, row);
  return row !== undefined;
}

/** A recipient of shared transcriptions: with the address only if it is proven. */
export interface Recipient {
  userId: string;
  email: string | undefined;
}

/**
 * Transcriptions shared with or offered to a person, without deleted ones and those of blocked accounts.
 * @param now epoch ms
 */
export function listReceived(db: Db, { userId, email }: Recipient, now: number) {
  return db
    .selectFrom("transcription_shares as s")
    .innerJoin("transcriptions as t", "t.id", "s.transcription_id")
    .innerJoin("users as owner", "owner.id", "t.user_id")
    .select(["s.id", "s.transcription_id", "s.role", "s.user_id", "s.expires_at", "owner.email"])
    .select(["t.title", "t.date", "t.duration_seconds"])
    .where("t.deleted_at", "is", null)
    .where("owner.blocked_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("s.user_id", "=", userId),
        ...(email === undefined
          ? []
          : [eb.and([eb("s.user_id", "is", null), eb("s.email", "=", email), eb("s.expires_at", ">", now)])]),
      ]),
    )
    .orderBy((eb) => eb.case().when("s.user_id", "is", null).then(0).else(1).end())
    .orderBy("s.created_at", "desc")
    .orderBy("s.id")
    .limit(maxReceived)
    .execute();
}
export type ReceivedRow = Awaited<ReturnType<typeof listReceived>>[number];

/** More are not listed. */
const maxReceived = 1000;

/**
 * Accepts an offer to this address for this person.
 * @param now epoch ms
 * @returns whether there was a valid offer
 */
export async function acceptShare(t: Db, id: string, { userId, email }: Recipient, now: number): Promise<boolean> {
  if (email === undefined) return false;
  const offer = await t
    .selectFrom("transcription_shares")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "is", null)
    .where("email", "=", email)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (offer === undefined || offer.owner_id === userId) return false;
  // A user with a new address may have accepted an offer to the former one.
  await t
    .deleteFrom("transcription_shares")
    .where((eb) => eb.and({ transcription_id: offer.transcription_id, user_id: userId }))
    .execute();
  await t.updateTable("transcription_shares").set({ user_id: userId, expires_at: null }).where("id", "=", id).execute();
  await noteShareChange(t, offer);
  return true;
}

/** Declined, or left. @returns whether there was one for this person */
export async function leaveShare(t: Db, id: string, { userId, email }: Recipient): Promise<boolean> {
  const row = await t
    .deleteFrom("transcription_shares")
    .where("id", "=", id)
    .where((eb) =>
      eb.or([
        eb("user_id", "=", userId),
        ...(email === undefined ? [] : [eb.and([eb("user_id", "is", null), eb("email", "=", email)])]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) await noteShareChange(t, row);
  return row !== undefined;
}

/** Open pages of the transcription check their rights again, and running downloads end. */
async function noteShareChange(t: Db, { transcription_id, owner_id }: ShareRow): Promise<void> {
  const revision = await nextRevision(t, owner_id);
  await t.updateTable("transcriptions").set({ revision }).where("id", "=", transcription_id).execute();
  noteChange(t, "rights.ended");
}

/** @param by epoch ms */
export async function deleteOffersEndedBy(db: Db, by: number): Promise<void> {
  await db.deleteFrom("transcription_shares").where("expires_at", "<=", by).execute();
}

/** The shares that a person has given and received, for the export of an account. */
export async function exportedShares(db: Db, id: string) {
  const made = await db.selectFrom("transcription_shares").selectAll().where("owner_id", "=", id).orderBy("created_at").execute();
  const received = await listReceived(db, { userId: id, email: undefined }, 0);
  return {
    sharedWith: made.map((row) => ({
      transcription: row.transcription_id,
      email: row.email,
      role: row.role,
      accepted: row.user_id !== null,
      createdAt: new Date(row.created_at).toISOString(),
    })),
    sharedWithMe: received.map((row) => ({ transcription: row.transcription_id, by: row.email, role: row.role })),
  };
}
