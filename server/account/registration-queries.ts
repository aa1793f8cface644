import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { RegistrationLinkTable, RegistrationTable } from "./tables.ts";

export type WaitingRegistration = Selectable<RegistrationTable>;

/** Adds a pending registration. @param registration times in epoch ms */
export async function insertRegistration(t: Db, registration: Insertable<RegistrationTable>): Promise<void> {
  await t.insertInto("registrations").values(registration).execute();
}

/** The pending registrations of an address, newest first. @param now epoch ms */
export function listWaiting(db: Db, email: string, now: number): Promise<WaitingRegistration[]> {
  return db
    .selectFrom("registrations")
    .selectAll()
    .where("email", "=", email)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/**
 * Stores a link to a pending registration's address.
 * @param link with the SHA-256 of its token; `expires_at` in epoch ms
 */
export async function insertRegistrationLink(db: Db, link: Insertable<RegistrationLinkTable>): Promise<void> {
  await db.insertInto("registration_links").values(link).execute();
}

/** The address that a link was sent to; undefined for a link that is unknown or expired. @param now epoch ms */
export async function findRegistrationLinkEmail(db: Db, hash: string, now: number): Promise<string | undefined> {
  const link = db.selectFrom("registration_links").select("email").where("hash", "=", hash).where("expires_at", ">", now);
  return (await link.executeTakeFirst())?.email;
}

/** @returns whether it existed */
export function deleteRegistrationLink(t: Db, hash: string): Promise<boolean> {
  return affectsAny(t.deleteFrom("registration_links").where("hash", "=", hash));
}

export async function deleteRegistrationLinksTo(db: Db, email: string): Promise<void> {
  await db.deleteFrom("registration_links").where("email", "=", email).execute();
}

/** Deletes the pending registrations of this address, and all links to it. */
export async function deleteWaiting(t: Db, email: string): Promise<void> {
  await t.deleteFrom("registrations").where("email", "=", email).execute();
  await deleteRegistrationLinksTo(t, email);
}

/** @param now epoch ms */
export async function deleteExpiredRegistrations(db: Db, now: number): Promise<void> {
  await db.deleteFrom("registrations").where("expires_at", "<=", now).execute();
  await db.deleteFrom("registration_links").where("expires_at", "<=", now).execute();
}
