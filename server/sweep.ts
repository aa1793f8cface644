import { rm } from "node:fs/promises";
import { undoMs } from "#contract/index.ts";
import { forgetAccountLinks } from "./account/sweep.ts";
import { recordDay } from "./admin/history.ts";
import { sweepBlogImages } from "./blog/images.ts";
import { forgetReaders } from "./blog/reader-queries.ts";
import { describeError, type Log } from "./common/log.ts";
import { type Storage, storedKinds } from "./common/storage.ts";
import { emptyLog } from "./db/checkpoint.ts";
import type { Db } from "./db/open.ts";
import { promoteAbandoned } from "./dictation/promote-abandoned.ts";
import { deleteRecordingsAttachedTo, listUnattachedRecordingIds } from "./dictation/queries.ts";
import type { Live } from "./dictation/sockets.ts";
import { listJobIds } from "./jobs/queries.ts";
import type { Worker } from "./jobs/worker.ts";
import { deleteExpiredSessions } from "./session/sweep.ts";
import { type Billing, settleBilling } from "./subscription/open-billing.ts";
import { deleteTranscription, listTranscriptionIds, listTranscriptionsDeletedBy } from "./transcription/queries.ts";
import { forgetTurns, isDeletedTurn } from "./translator/queries.ts";
import { forgetUploads } from "./uploads/finish.ts";
import { listUploadIds } from "./uploads/queries.ts";
import { forgetUnfinishedItems } from "./vault/sweep.ts";

/** A file that no row knows of may belong to a row that is about to be written: it is left alone for this long (milliseconds). */
const orphanMs = 60 * 60 * 1000;

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
}

/** Does what is due, feature by feature: deletions that can't be undone any more, recordings left behind, sign-ins and counters that have run out. */
export async function sweep(parts: Parts): Promise<void> {
  const chores = [settleBilling, purgeDeleted, promoteAbandoned, deleteExpiredSessions, forgetAccountLinks, forgetUploads];
  for (const chore of [...chores, forgetUnfinishedItems, recordDay, forgetViews, sweepBlogImages, forgetEarlierPages]) {
    // One that fails must not keep the others from being done.
    await chore({ ...parts, isDeletedTurn }).catch((error: unknown) =>
      parts.log.error("sweep", { chore: chore.name, ...describeError(error) }),
    );
  }
}

/** Row, audio, pieces: nothing is left of a transcription that was deleted ten minutes ago. */
async function purgeDeleted({ db, storage, now }: Parts): Promise<void> {
  for (const { id, user_id, client_id } of await listTranscriptionsDeletedBy(db, now() - undoMs)) {
    await db.transaction().execute(async (t) => {
      await deleteRecordingsAttachedTo(t, id);
      await deleteTranscription(t, id);
      await forgetTurns(t, user_id, client_id);
    });
    await storage.removeAudio(id);
    await rm(storage.pcmPath(id), { force: true });
  }
}

/** Takes away files that a crash has left without a row. Called at the start. */
export async function sweepFiles({ db, storage }: { db: Db; storage: Storage }): Promise<void> {
  const transcriptions = await listTranscriptionIds(db);
  const jobs = await listJobIds(db);
  const recordings = await listUnattachedRecordingIds(db);
  const uploads = await listUploadIds(db);
  const owners = {
    // An upload's bytes are moved before its row is written.
    audio: new Set([...transcriptions, ...uploads]),
    jobs: new Set(jobs),
    live: new Set(recordings),
    incoming: new Set<string>(),
    uploads: new Set(uploads),
  };
  for (const kind of storedKinds) {
    for (const { id, touchedAt, remove } of await storage.list(kind)) {
      // The files' times are the machine's, not the product's clock.
      if (!owners[kind].has(id) && touchedAt < Date.now() - orphanMs) await remove();
    }
  }
}

/** Readers of posts: their numbers stay. */
function forgetViews({ db, now }: Parts): Promise<void> {
  return forgetReaders(db, now());
}

/**
 * What was deleted or overwritten since the last sweep, here or by a request, is gone from the write-ahead log, too. Last, and each
 * time: what another process or a crash has kept from being done is made up for by the next.
 */
async function forgetEarlierPages({ db }: Parts): Promise<void> {
  await emptyLog(db);
}
