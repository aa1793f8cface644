import { deleteExpiredAccountLinks } from "#server/account/sweep.ts";
import { recordDay } from "#server/admin/history.ts";
import { sweepBlogImages } from "#server/blog/images.ts";
import { deletePastReaders } from "#server/blog/reader-queries.ts";
import { emptyLog } from "#server/db/checkpoint.ts";
import type { Db } from "#server/db/open.ts";
import { promoteAbandoned } from "#server/dictation/promote-abandoned.ts";
import { deleteRecordingsAttachedTo, listUnattachedRecordingIds } from "#server/dictation/queries.ts";
import type { Live } from "#server/dictation/sockets.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { deleteEndedOffers } from "#server/people/sweep.ts";
import { deleteByRules } from "#server/retention/sweep.ts";
import type { SearchIndex } from "#server/search/indexing.ts";
import { deleteExpiredSessions } from "#server/session/sweep.ts";
import { deleteEndedLinks } from "#server/sharing/sweep.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Bucket } from "#server/storage/bucket.ts";
import type { Storage } from "#server/storage/storage.ts";
import { type Billing, settleBilling } from "#server/subscription/open-billing.ts";
import { deleteTranscription } from "#server/transcription/queries.ts";
import { listDue, noteDoomed } from "#server/transcriptions/trash-queries.ts";
import { deleteTurnsOf, isDeletedTurn } from "#server/translator/queries.ts";
import { deleteExpiredUploads } from "#server/uploads/finish.ts";
import { deleteEndedVaultLinks } from "#server/vault/link-routes.ts";
import { deleteUnfinishedItems } from "#server/vault/sweep.ts";
import { deletePastCaptioned } from "#server/video/sweep.ts";
import { deletePastDeliveries } from "#server/webhooks/sweep.ts";

/** Longer than any upload may take (milliseconds). */
const staleLookMs = 60 * 60 * 1000;
/** When a bucket was last looked through for them, epoch ms. */
const lookedAt = new WeakMap<Bucket, number>();
const staleUploadMs = 8 * 24 * 60 * 60 * 1000;

interface Parts {
  config: { dataDir: string; sessionDays: number };
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  billing: Billing;
  storage: Storage;
  worker: Worker;
  live: Live;
  engines: SpeechEngines;
  searchIndex: SearchIndex;
}

/** Runs all periodic cleanup, by feature: purges deletions, promotes abandoned recordings, deletes expired sessions. */
export async function sweep(parts: Parts): Promise<void> {
  const chores = [
    settleBilling,
    purgeDeleted,
    promoteAbandoned,
    deleteExpiredSessions,
    deleteExpiredAccountLinks,
    deleteEndedLinks,
    deleteEndedOffers,
    deleteEndedVaultLinks,
    deletePastDeliveries,
    deleteByRules,
    deleteExpiredUploads,
    deletePastCaptioned,
  ];
  for (const chore of [
    ...chores,
    endStaleUploads,
    deleteLiveCopies,
    deleteUnfinishedItems,
    recordDay,
    deleteViews,
    sweepBlogImages,
    keepSearchIndex,
    truncateWriteAheadLog,
  ]) {
    // A failure must not stop the others.
    await chore({ ...parts, isDeletedTurn }).catch((error: unknown) =>
      parts.log.error("sweep", { chore: chore.name, ...describeError(error) }),
    );
  }
}

/** Erases what has been in the trash for its time, or was taken out of it for good: row, voices, audio and pieces. */
async function purgeDeleted({ db, storage, now }: Parts): Promise<void> {
  await noteDoomed(db, now());
  for (;;) {
    const due = await listDue(db, now());
    for (const { id, user_id, client_id } of due) {
      // A crash in between leaves files without a row: `sweepFiles` removes them (sweep-files.ts).
      await db.transaction().execute(async (t) => {
        await deleteRecordingsAttachedTo(t, id);
        await deleteTranscription(t, id);
        await deleteTurnsOf(t, user_id, client_id);
      });
      await storage.removeAudio(id);
      await storage.removePcm(id);
    }
    if (due.length === 0) return;
  }
}

/** How long a sweep reads what was changed, for the search (milliseconds): after an update that is everything. */
const indexMs = 20_000;

/** Whoever searches does not wait for what is here already. */
async function keepSearchIndex({ searchIndex }: Parts): Promise<void> {
  await searchIndex.erase();
  await searchIndex.catchUp({ ms: indexMs });
}

/** Ends uploads into the bucket that nobody continues: their parts are charged for, and no listing shows them. */
async function endStaleUploads({ storage, now }: Parts): Promise<void> {
  // The bucket's clock is not the injected one, but days apart both say the same.
  const { bucket } = storage;
  if (bucket === undefined || now() - (lookedAt.get(bucket) ?? 0) < staleLookMs) return;
  lookedAt.set(bucket, now());
  await bucket.abortUploadsBefore(now() - staleUploadMs);
}

/** Deletes this machine's copies of live dictations that have become transcriptions, here or elsewhere. */
async function deleteLiveCopies({ db, storage }: Parts): Promise<void> {
  const copies = await storage.liveCopies();
  if (copies.length === 0) return;
  const owned = new Set(await listUnattachedRecordingIds(db));
  for (const { id, remove } of copies) if (!owned.has(id)) await remove();
}

/** Deletes the readers of posts; their counts are kept. */
function deleteViews({ db, now }: Parts): Promise<void> {
  return deletePastReaders(db, now());
}

/**
 * Removes deleted and overwritten data from the write-ahead log too. Runs last, and every time, to make up for attempts that
 * another process or a crash has prevented.
 */
async function truncateWriteAheadLog({ db }: Parts): Promise<void> {
  await emptyLog(db);
}
