import { randomUUID } from "node:crypto";
import { mayBeStored } from "#server/db/errors.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { ArrivingFile } from "#server/http/multipart.ts";
import { enqueueJob } from "#server/jobs/queries.ts";
import type { Incoming } from "#server/storage/storage.ts";
import {
  findByClientId,
  insertTranscription,
  type NewTranscription,
  type TranscriptionRow,
} from "#server/transcription/queries.ts";
import { type CheckedFields, uploadedRow } from "./fields.ts";
import type { UploadParts } from "./parts.ts";

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
  using room = new DisposableStack();
  room.defer(await deps.quota.reserve(userId, fields.size ?? 1));
  const id = randomUUID();
  const incoming = deps.storage.receive(id);
  try {
    const size = await file.writeTo(incoming.stream);
    if (size < (fields.size ?? size)) throw new Problem("interrupted");
    if (size === 0) throw new Problem("emptyFile");
    // Larger than announced, if a size was announced.
    if (size > (fields.size ?? 1)) room.defer(await deps.quota.reserve(userId, size - (fields.size ?? 1)));
    await incoming.keep();
    return await storeUpload(deps, incoming, uploadedRow({ id, userId, fields, file, at: deps.now() }));
  } catch (error) {
    if (!mayBeStored(error)) await incoming.discard();
    throw error;
  }
}

async function storeUpload(deps: AcceptParts, incoming: Incoming, row: NewTranscription): Promise<TranscriptionRow> {
  const stored = await deps.db.transaction().execute(async (t) => {
    const inserted = await insertTranscription(t, row);
    if (inserted !== undefined) await enqueueJob(t, row.id, deps.now());
    return inserted;
  });
  if (stored !== undefined) return stored;
  // A concurrent request with the same upload was first.
  await incoming.discard();
  const other = await findByClientId(deps.db, row.user_id, row.client_id);
  if (other === undefined) throw new Problem("internal");
  return other;
}
