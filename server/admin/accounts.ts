import { refuseLastSuperuser } from "#server/account/superusers.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { Problem, sentenceOf } from "#server/errors/problem.ts";
import { listJobIdsOf } from "#server/jobs/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { failJob } from "#server/processing/failure.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { listLivingSessionIds, revokeAccessOf } from "#server/session/queries.ts";
import type { Storage } from "#server/storage/storage.ts";
import { updateUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { audit, type Change } from "./audit.ts";
import { findPerson } from "./user.ts";

/**
 * Deletes an account with all of its data, as its owner can (server/settings).
 * @param note runs in the same transaction
 */
export type EraseAccount = (user: User, note: (t: Db) => Promise<void>) => Promise<void>;

interface Parts extends DbParts {
  connections: OpenConnections;
  storage: Storage;
  worker: Worker;
  eraseAccount: EraseAccount;
}

/** The address counts as proven from now on; does nothing when it does already. @throws Problem `notFound` */
export async function confirmUser({ db, now }: Pick<Parts, "db" | "now">, { actor, userId, reason }: Change): Promise<void> {
  await db.transaction().execute(async (t) => {
    const user = await findPerson(t, userId);
    if (user.email_verified === 1) return;
    await updateUser(t, userId, { email_verified: 1 });
    const [before, after] = [{ confirmed: false }, { confirmed: true }];
    await audit(t, { at: now(), action: "confirmUser", actor, user, before, after, reason });
  });
}

/**
 * Ends all personal access tokens, sessions, connections and jobs of an account at once, and refuses its sign-ins. Its
 * data stays.
 * @throws Problem `notFound`, `conflict` for the own account, `lastSuperuser`
 */
export async function blockUser(parts: Parts, { actor, userId, reason }: Change): Promise<void> {
  const { db, now, connections, storage, worker } = parts;
  refuseOneself(actor, userId);
  const jobs = await db.transaction().execute(async (t) => {
    const user = await findPerson(t, userId);
    if (user.blocked_at !== null) return [];
    await refuseLastSuperuser(t, user);
    const open = await listLivingSessionIds(t, userId);
    await updateUser(t, userId, { blocked_at: now() });
    await revokeAccessOf(t, userId, now(), "");
    const before = { blocked: false, signIns: open.length };
    const after = { blocked: true, signIns: 0 };
    await audit(t, { at: now(), action: "blockUser", actor, user, before, after, reason });
    return listJobIdsOf(t, userId);
  });
  await connections.recheck();
  for (const id of jobs) await failJob({ db, storage }, id, cancelled);
  worker.check();
}

/** Why a job ended that an operator has cancelled. */
export const cancelled = { code: "cancelledByOperator", message: sentenceOf("cancelledByOperator") } as const;

/** Lets its owner sign in again. @throws Problem `notFound` */
export async function unblockUser({ db, now, worker }: Parts, { actor, userId, reason }: Change): Promise<void> {
  await db.transaction().execute(async (t) => {
    const user = await findPerson(t, userId);
    if (user.blocked_at === null) return;
    await updateUser(t, userId, { blocked_at: null });
    const [before, after] = [{ blocked: true }, { blocked: false }];
    await audit(t, { at: now(), action: "unblockUser", actor, user, before, after, reason });
  });
  worker.wake();
}

/** Deletes an account as its owner would. @throws Problem `notFound`, `conflict` for oneself, `lastSuperuser` */
export async function removeUser({ db, now, eraseAccount }: Parts, { actor, userId, reason }: Change): Promise<void> {
  refuseOneself(actor, userId);
  const user = await findPerson(db, userId);
  await eraseAccount(user, async (t) => {
    await refuseLastSuperuser(t, user);
    await audit(t, { at: now(), action: "deleteUser", actor, user, before: {}, after: {}, reason });
  });
}

/** The settings are for that, and ask for the password. */
function refuseOneself(actor: User, userId: string): void {
  if (actor.id === userId) throw new Problem("conflict", "This is your own account. Change it in the settings.");
}
