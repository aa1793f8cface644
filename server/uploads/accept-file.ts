import { randomUUID } from "node:crypto";
import { mayBeStored } from "#server/db/errors.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { ArrivingFile } from "#server/http/multipart.ts";
import type { Incoming } from "#server/storage/storage.ts";
import { isFull } from "#server/subscription/storage-quota.ts";
import { findByClientId, type NewTranscription, type TranscriptionRow } from "#server/transcription/queries.ts";
import { type CheckedFields, uploadedRow } from "./fields.ts";
import type { UploadParts } from "./parts.ts";
import { storeWithJob } from "./queries.ts";

interface AcceptParts extends Pick<UploadParts, "now" | "storage" | "usage" | "quota"> {
  db: Db;
}

/**
 * Stores a file and enqueues its transcription; both or neither. The same client id again gives the transcription that it has already.
 * @throws Problem, and disk errors: nothing is kept
 */
export async function acceptFile(
  deps: AcceptParts,
  userId: string,
  fields: CheckedFields,
  file: ArrivingFile,
): Promise<TranscriptionRow> {
  const known = await findByClientId(deps.db, userId, fields.clientId);
  if (known !== undefined) {
    // A retry whose first response was lost. The body is read to its end, otherwise the page would not see this response.
    await file.skip();
    return known;
  }
  await deps.usage.refuseAtLimit(userId);
  try {
    await deps.quota.refuseWhenFull(userId, fields.size);
  } catch (error) {
    // The room may have gone to an attempt with the same file, which was stored since.
    if (!isFull(error) || (await findByClientId(deps.db, userId, fields.clientId)) === undefined) throw error;
    return acceptFile(deps, userId, fields, file);
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

async function storeUpload(parts: AcceptParts, incoming: Incoming, row: NewTranscription): Promise<TranscriptionRow> {
  const { db, now, quota } = parts;
  const stored = await quota.within(
    () => row.user_id,
    () => db.transaction().execute((t) => storeWithJob(t, row, now(), incoming.bytes)),
  );
  // A concurrent request with the same upload was first.
  if (stored.id !== row.id) await incoming.discard();
  return stored;
}
