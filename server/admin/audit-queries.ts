import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { countRows } from "#server/db/results.ts";
import type { AuditTable } from "./tables.ts";

export type AuditRow = Selectable<AuditTable>;

/** Adds an entry, in the transaction of the logged action. @param entry `at` in epoch ms; states as JSON */
export async function insertAuditEntry(t: Db, entry: Insertable<AuditTable>): Promise<void> {
  await t.insertInto("audit_log").values(entry).execute();
}

/** Anonymises the entries of a deleted account: removes the email addresses of actor and subject. */
export async function anonymiseAudit(t: Db, userId: string): Promise<void> {
  await t.updateTable("audit_log").set({ actor_email: null }).where("actor_id", "=", userId).execute();
  await t.updateTable("audit_log").set({ user_email: null }).where("user_id", "=", userId).execute();
}

export function countAuditEntries(db: Db): Promise<number> {
  return countRows(db.selectFrom("audit_log"));
}

/** The newest first. */
export function listAuditEntries(db: Db, { limit, offset }: { limit: number; offset: number }): Promise<AuditRow[]> {
  const newest = db.selectFrom("audit_log").selectAll().orderBy("at", "desc").orderBy("id", "desc");
  return newest.limit(limit).offset(offset).execute();
}
