import { stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { UploadFields } from "#contract/index.ts";
import { describeError, type Log } from "#server/common/log.ts";
import { Problem } from "#server/common/problem.ts";
import type { Storage } from "#server/common/storage.ts";
import type { Db } from "#server/db/open.ts";
import { enqueueJob } from "#server/jobs/queries.ts";
import { findByClientId, insertTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import { uploadedRow } from "./fields.ts";
import { listOldUploads, listUploads, removeUpload, type UploadRow } from "./queries.ts";
import { uploadLifeMs } from "./store.ts";

interface Parts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  storage: Storage;
}

const StoredFields = v.pipe(v.string(), v.parseJson(), UploadFields);

/** How much of an upload has come, in bytes; undefined when nothing of it is in its place (any more). */
export async function arrivedBytes(storage: Pick<Storage, "uploadsFolder">, id: string): Promise<number | undefined> {
  return stat(join(storage.uploadsFolder, id)).then(
    ({ size }) => size,
    () => undefined,
  );
}

/** Whether its last byte is here: in its place, or already moved by a server that was killed before it could write the row. */
export async function hasArrived({ storage }: { storage: Storage }, { id, size }: UploadRow): Promise<boolean> {
  const arrived = await arrivedBytes(storage, id);
  if (arrived !== undefined) return arrived === size;
  return stat(storage.audioPath(id)).then(
    (audio) => audio.size === size,
    () => false,
  );
}

/** A file is finished once at a time, whoever asks for it: its last part, the next question about it. */
const finishing = new Map<string, Promise<TranscriptionRow>>();

/**
 * Makes a file that has come whole a transcription that waits to be made; the same one when it is asked for again.
 * @throws Problem, and errors of the disk: what has come stays, to be finished later
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
  const made = await db.transaction().execute(async (t) => {
    await removeUpload(t, row.id);
    const inserted = await insertTranscription(t, wanted);
    if (inserted !== undefined) await enqueueJob(t, row.id, now());
    return inserted ?? findByClientId(t, row.user_id, row.client_id);
  });
  if (made === undefined) throw new Problem("internal");
  // The same file came in another way under the same client id, and was first.
  if (made.id !== row.id) await storage.removeAudio(row.id);
  return made;
}

/** Finishes what had come whole when the server was killed. Call it at the start, before orphaned files are swept. */
export async function recoverUploads(parts: Parts & { log: Log }): Promise<void> {
  for (const row of await listUploads(parts.db)) {
    if (!(await hasArrived(parts, row))) continue;
    // One that can't be finished must not keep the server from starting: its sender's next question tries again.
    await finishUpload(parts, row).catch((error: unknown) =>
      parts.log.error("upload not finished", { id: row.id, ...describeError(error) }),
    );
  }
}

/** Throws away what nobody has finished within its life. */
export async function forgetUploads({ db, storage, now }: Parts): Promise<void> {
  for (const { id } of await listOldUploads(db, now() - uploadLifeMs)) await discardUpload({ db, storage }, id);
}

/** Throws away what has come of an upload. */
async function discardUpload({ db, storage }: { db: Db; storage: Storage }, id: string): Promise<void> {
  await unlink(join(storage.uploadsFolder, id)).catch(() => {});
  await removeUpload(db, id);
}
