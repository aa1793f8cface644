import { deleteExpiredAccountLinks } from "./account/sweep.ts";
import { recordDay } from "./admin/history.ts";
import { sweepBlogImages } from "./blog/images.ts";
import { deletePastReaders } from "./blog/reader-queries.ts";
import type { Bucket } from "./common/bucket.ts";
import { describeError, type Log } from "./common/log.ts";
import type { Storage } from "./common/storage.ts";
import { emptyLog } from "./db/checkpoint.ts";
import type { Db } from "./db/open.ts";
import { promoteAbandoned } from "./dictation/promote-abandoned.ts";
import { deleteRecordingsAttachedTo, listUnattachedRecordingIds } from "./dictation/queries.ts";
import type { Live } from "./dictation/sockets.ts";
import type { Worker } from "./jobs/worker.ts";
import { deleteEndedOffers } from "./people/sweep.ts";
import { deleteByRules } from "./retention/sweep.ts";
import type { SearchIndex } from "./search/indexing.ts";
import { deleteExpiredSessions } from "./session/sweep.ts";
import { deleteEndedLinks } from "./sharing/sweep.ts";
import type { SpeechEngines } from "./speech/index.ts";
import { type Billing, settleBilling } from "./subscription/open-billing.ts";
import { deleteTranscription } from "./transcription/queries.ts";
import { listDue, noteDoomed } from "./transcriptions/trash-queries.ts";
import { deleteTurnsOf, isDeletedTurn } from "./translator/queries.ts";
import { deleteExpiredUploads } from "./uploads/finish.ts";
import { deleteEndedVaultLinks } from "./vault/link-routes.ts";
import { deleteUnfinishedItems } from "./vault/sweep.ts";
import { deletePastCaptioned } from "./video/sweep.ts";
import { deletePastDeliveries } from "./webhooks/sweep.ts";

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
