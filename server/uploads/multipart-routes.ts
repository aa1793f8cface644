import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { Problem } from "#server/common/problem.ts";
import type { Incoming } from "#server/common/storage.ts";
import { mayBeStored } from "#server/db/errors.ts";
import type { AppEnv } from "#server/http/env.ts";
import { streamsBody } from "#server/http/limits.ts";
import { type ArrivingFile, multipartBytes, receiveUpload } from "#server/http/multipart.ts";
import { uploadShare } from "#server/http/places.ts";
import { enqueueJob } from "#server/jobs/queries.ts";
import { requireUser } from "#server/session/require-user.ts";
import {
  findByClientId,
  insertTranscription,
  type NewTranscription,
  type TranscriptionRow,
} from "#server/transcription/queries.ts";
import { sendTranscription } from "#server/transcription/view.ts";
import { type CheckedFields, checkFields, uploadedRow } from "./fields.ts";
import type { UploadParts } from "./parts.ts";

/** POST upload-and-transcribe: stores a file and enqueues its transcription. */
export function uploadRoutes(deps: UploadParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.post(
    "/api/v1/audio-transcriptions/upload-and-transcribe",
    streamsBody(deps.config.maxUploadBytes + multipartBytes),
    requireUser(deps),
    async (c) => {
      const user = c.var.user;
      const receive = () =>
        receiveUpload(c.env.incoming, deps.config.maxUploadBytes, (raw, file) =>
          takeFile(deps, user.id, checkFields(deps, raw), file),
        );
      const row = await deps.places.run(uploadShare, user.id, c.req.raw.signal, receive);
      deps.worker.wake();
      return sendTranscription(c, deps.db, row, 202);
    },
  );
  return app;
}

async function takeFile(deps: UploadParts, userId: string, fields: CheckedFields, file: ArrivingFile): Promise<TranscriptionRow> {
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

async function storeUpload(deps: UploadParts, incoming: Incoming, row: NewTranscription): Promise<TranscriptionRow> {
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
