import { Hono } from "hono";
import { uploadConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { streamsBody } from "#server/http/limits.ts";
import { multipartBytes, receiveUpload } from "#server/http/multipart.ts";
import { accessFor } from "#server/session/require-access.ts";
import { sendTranscription } from "#server/transcription/view.ts";
import { acceptFile } from "./accept-file.ts";
import { checkFields } from "./fields.ts";
import { uploadOperations } from "./operations.ts";
import type { UploadParts } from "./parts.ts";

/** POST upload-and-transcribe: stores a file and enqueues its transcription. */
export function uploadRoutes(deps: UploadParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  app.post(
    "/api/v1/audio-transcriptions/upload-and-transcribe",
    access(uploadOperations.file),
    streamsBody(deps.config.maxUploadBytes + multipartBytes),
    async (c) => {
      const user = c.var.user;
      const receive = () =>
        receiveUpload(c.env.incoming, deps.config.maxUploadBytes, (raw, file) =>
          acceptFile(deps, user.id, checkFields(deps, raw), file),
        );
      const row = await deps.concurrency.run(uploadConcurrency, user.id, c.req.raw.signal, receive);
      deps.worker.wake();
      return sendTranscription(c, deps.db, row, 202);
    },
  );
  return app;
}
