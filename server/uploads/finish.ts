import * as v from "valibot";
import { UploadFields } from "#contract/index.ts";
import { withoutGuard } from "#server/db/guard.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { uploadedRow } from "./fields.ts";
import { listOldUploads, listUploads, removeUpload, storeWithJob, type UploadRow } from "./queries.ts";
import { uploadLifeMs } from "./store.ts";

interface Parts extends DbParts {
  storage: Storage;
}

const StoredFields = v.pipe(v.string(), v.parseJson(), UploadFields);

/**
 * Whether the file is complete: in the uploads folder, or already moved by a server that was killed before it stored
 * the row.
 */
export async function hasArrived({ storage }: { storage: Storage }, { id, size }: UploadRow): Promise<boolean> {
  const arrived = await storage.uploads.arrived(id);
  if (arrived !== undefined) return arrived === size;
  return (await storage.audio(id))?.size === size;
}

/** Uploads being finished. Concurrent requests (the last part, a status query) share the promise. */
const finishing = new Map<string, Promise<TranscriptionRow>>();

/**
 * Turns a complete upload into a transcription that waits for its job. Idempotent.
 * @throws Problem, and disk errors: the upload is kept, to be finished later
 */
export function finishUpload(parts: Parts, row: UploadRow): Promise<TranscriptionRow> {
  const known = finishing.get(row.id);
  if (known !== undefined) return known;
  const work = finish(parts, row).finally(() => finishing.delete(row.id));
  finishing.set(row.id, work);
  return work;
}

async function finish({ db, storage, now }: Parts, row: UploadRow): Promise<TranscriptionRow> {
  const fields = v.parse(StoredFields, row.fields);
  await storage.keepUpload(row.id);
  const file = { name: row.file_name, type: row.file_type };
  const wanted = uploadedRow({ id: row.id, userId: row.user_id, fields, file, at: now() });
  // The upload was checked against the quota when it began.
  const store = async (t: Db) => {
    await removeUpload(t, row.id);
    return storeWithJob(t, wanted, now(), row.size);
  };
  const made = await withoutGuard(() => db.transaction().execute(store));
  // The same file was uploaded concurrently in another request, under the same client id.
  if (made.id !== row.id) await storage.removeAudio(row.id);
  return made;
}

/**
 * Finishes uploads that were complete when the server was killed. Call it at startup, before orphaned files are swept.
 */
export async function recoverUploads(parts: Parts & { log: Log }): Promise<void> {
  for (const row of await listUploads(parts.db)) {
    if (!(await hasArrived(parts, row))) continue;
    // A failure must not keep the server from starting: the client's next request retries.
    await finishUpload(parts, row).catch((error: unknown) =>
      parts.log.error("upload not finished", { id: row.id, ...describeError(error) }),
    );
  }
}

/** Deletes unfinished uploads that have expired. */
export async function deleteExpiredUploads({ db, storage, now }: Parts): Promise<void> {
  for (const { id } of await listOldUploads(db, now() - uploadLifeMs)) await discardUpload({ db, storage }, id);
}

/** Deletes an upload and its bytes. */
async function discardUpload({ db, storage }: { db: Db; storage: Storage }, id: string): Promise<void> {
  await storage.uploads.remove(id);
  await removeUpload(db, id);
}
