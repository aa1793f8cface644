import { randomUUID } from "node:crypto";
import { mayBeStored } from "#server/db/errors.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { ArrivingFile } from "#server/http/multipart.ts";
import type { Incoming } from "#server/storage/storage.ts";
import { findByClientId, type NewTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import { type CheckedFields, uploadedRow } from "./fields.ts";
import type { UploadParts } from "./parts.ts";
import { findUploadOf, removeUpload, storeWithJob } from "./queries.ts";

interface AcceptParts extends Pick<UploadParts, "now" | "storage" | "usage" | "quota"> {
  db: Db;
}

/**
 * Stores a file and enqueues its transcription; both or neither. A repeated client id returns its existing
 * transcription.
 * @throws Problem, and disk errors: nothing is kept
 */
export async function acceptFile(
  deps: AcceptParts,
  userId: string,
  fields: CheckedFields,
  file: ArrivingFile,
): Promise<TranscriptionRow> {
  const known = await findOrAdmit(deps, userId, fields);
  if (known !== undefined) {
    // A retry after a lost response. The body is read to its end; otherwise the page would not see this response.
    await file.skip();
    return known;
  }
  const id = randomUUID();
  const incoming = deps.storage.receive(id);
  try {
    const size = await file.writeTo(incoming.stream);
    if (size < (fields.size ?? size)) throw new Problem("interrupted");
    if (size === 0) throw new Problem("emptyFile");
    await incoming.keep();
    return await storeUpload(deps, incoming, uploadedRow({ id, userId, fields, file, at: deps.now() }));
  } catch (error) {
    if (!mayBeStored(error)) await incoming.discard();
    throw error;
  }
}

/**
 * @returns the transcription that this upload already has @throws Problem `limitReached`, `quotaReached` for a new
 *   one
 */
async function findOrAdmit(
  { db, usage, quota }: AcceptParts,
  userId: string,
  { clientId, size = 1 }: CheckedFields,
): Promise<TranscriptionRow | undefined> {
  const known = await findByClientId(db, userId, clientId);
  if (known !== undefined) return known;
  const begun = await findUploadOf(db, userId, clientId);
  try {
    await usage.refuseAtLimit(userId);
    await quota.refuseWhenFull(userId, size - (begun?.size ?? 0));
    return undefined;
  } catch (error) {
    // Another request may have stored this same upload in the meantime, and taken the room.
    const made = await findByClientId(db, userId, clientId);
    if (made === undefined) throw error;
    return made;
  }
}

async function storeUpload(parts: AcceptParts, incoming: Incoming, row: NewTranscription): Promise<TranscriptionRow> {
  const { db, now, quota, storage } = parts;
  const store = async (t: Db) => {
    // A resumable upload of the same file is removed, with the room that it held.
    const begun = await findUploadOf(t, row.user_id, row.client_id);
    if (begun !== undefined) await removeUpload(t, begun.id);
    return { begun, stored: await storeWithJob(t, row, now(), incoming.bytes) };
  };
  const { begun, stored } = await quota.within(
    () => row.user_id,
    () => db.transaction().execute(store),
  );
  if (begun !== undefined) await storage.uploads.remove(begun.id);
  // A concurrent request with the same upload was faster.
  if (stored.id !== row.id) await incoming.discard();
  return stored;
}
