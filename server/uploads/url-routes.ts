import { Hono } from "hono";
import { UrlTranscription } from "#contract/index.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { sendTranscription } from "#server/transcription/view.ts";
import { type AcceptUrlParts, acceptUrl } from "./accept-url.ts";
import { uploadOperations } from "./operations.ts";

interface Parts extends AccessParts, AcceptUrlParts {
  worker: Worker;
}

/** POST transcribe-url: enqueues a transcription whose recording is fetched from a URL. */
export function transcribeUrlRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  app.post("/api/v1/audio-transcriptions/transcribe-url", access(uploadOperations.url), async (c) => {
    const wanted = await readJson(c, UrlTranscription);
    const row = await acceptUrl(deps, c.var.user.id, wanted);
    deps.worker.wake();
    return sendTranscription(c, deps.db, row, 202);
  });
  return app;
}
