import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { type AuditAction, type AuditEntry, AuditState } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/users/tables.ts";
import { type AuditRow, countAuditEntries, insertAuditEntry, listAuditEntries } from "./audit-queries.ts";
import { type PageOf, pageOf } from "./paging.ts";

type Who = Pick<User, "id" | "email">;

interface Done {
  /** Epoch ms. */
  at: number;
  action: AuditAction;
  actor: Who;
  /** Null: it concerns no single person. */
  user: Who | null;
  before: AuditState;
  after: AuditState;
  reason: string;
}

/** A superuser's change of an account. */
export interface Change {
  actor: User;
  sessionId: string;
  userId: string;
  reason: string;
}

/** Logs a superuser's action. To be called in its transaction. */
export async function audit(t: Db, { at, action, actor, user, before, after, reason }: Done): Promise<void> {
  await insertAuditEntry(t, {
    id: randomUUID(),
    at,
    action,
    actor_id: actor.id,
    actor_email: actor.email,
    user_id: user?.id ?? null,
    user_email: user?.email ?? null,
    reason,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  });
}

/** The log, the newest first. @param page from 1 */
export async function listAudit(db: Db, { page, limit }: { page: number; limit: number }): Promise<PageOf<AuditEntry>> {
  const { pagination, offset } = pageOf({ page, limit }, await countAuditEntries(db));
  const rows = await listAuditEntries(db, { limit, offset });
  return { rows: rows.map(entryOf), pagination };
}

const State = v.pipe(v.string(), v.parseJson(), AuditState);

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    action: row.action,
    actor: { id: row.actor_id, email: row.actor_email },
    user: row.user_id === null ? null : { id: row.user_id, email: row.user_email },
    before: v.parse(State, row.before),
    after: v.parse(State, row.after),
    reason: row.reason,
  };
}
