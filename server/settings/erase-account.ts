import { deleteWaiting } from "#server/account/registration-queries.ts";
import { refuseLastSuperuser } from "#server/account/superusers.ts";
import { anonymiseAudit } from "#server/admin/audit-queries.ts";
import { emptyLog } from "#server/db/checkpoint.ts";
import type { Db } from "#server/db/open.ts";
import { listRecordingIdsOf } from "#server/dictation/queries.ts";
import { deleteMessagesFrom, leaveWaitlist } from "#server/inbox/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { deleteMailsAbout } from "#server/mail/queries.ts";
import type { SearchIndex } from "#server/search/indexing.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Billing } from "#server/subscription/open-billing.ts";
import { findSubscriptionWith, isRunningStatus } from "#server/subscription/queries.ts";
import { listTranscriptionIds } from "#server/transcription/queries.ts";
import { listUploadIds } from "#server/uploads/queries.ts";
import { deleteUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import { createVaultFiles } from "#server/vault/files.ts";
import { listVaultItemIdsOf } from "#server/vault/queries.ts";
import type { Avatars } from "./avatars.ts";

/** How long to wait until the words are removed from the search index (milliseconds). */
const eraseMs = 10_000;

interface Parts {
  db: Db;
  connections: OpenConnections;
  avatars: Avatars;
  billing: Billing;
  storage: Storage;
  worker: Worker;
  searchIndex: SearchIndex;
}

/**
 * Deletes an account with all of its data: transcriptions, recordings, vault, payments and posts. The subscription is
 * canceled first. Cannot be undone, and nothing stays in the database's files.
 * @param note runs in the same transaction, before the account is deleted
 * @throws Problem `lastSuperuser`
 */
export async function eraseUser(parts: Parts, user: User, note: (t: Db) => Promise<void> = async () => {}): Promise<void> {
  const { db, storage, worker, avatars, billing, connections, searchIndex } = parts;
  // Checked before anything is canceled, and again in the transaction.
  await refuseLastSuperuser(db, user);
  // First closes the checkout page, on which the user could still pay for a deleted account.
  await billing.closeCheckout(user);
  const subscription = await findSubscriptionWith(db, billing.id, user.id);
  if (subscription !== undefined && isRunningStatus(subscription.status)) await billing.cancel(user, subscription);
  const found = await db.transaction().execute(async (t) => {
    await refuseLastSuperuser(t, user);
    const transcriptions = await listTranscriptionIds(t, user.id);
    const recordings = await listRecordingIdsOf(t, user.id);
    const uploads = await listUploadIds(t, user.id);
    const items = await listVaultItemIdsOf(t, user.id);
    await note(t);
    await anonymiseAudit(t, user.id);
    await deleteMailsAbout(t, user);
    // Other users' pending confirmations may contain the e-mail address, too.
    await deleteWaiting(t, user.email);
    await deleteMessagesFrom(t, user.email);
    await leaveWaitlist(t, user.email);
    await deleteUser(t, user.id);
    return { transcriptions, recordings, uploads, items };
  });
  await connections.recheck();
  worker.check();
  const vault = createVaultFiles(storage);
  for (const id of found.transcriptions) {
    await storage.removeAudio(id);
    await storage.removePcm(id);
  }
  for (const id of found.recordings) await storage.removeLive(id);
  for (const id of found.uploads) {
    await storage.removeAudio(id);
    await storage.uploads.remove(id);
  }
  for (const id of found.items) await vault.remove(id);
  if (user.avatar !== null) await avatars.remove(user.avatar);
  // If this takes too long, the next sweep removes the rest.
  await searchIndex.erase(eraseMs);
  await emptyLog(db);
}
