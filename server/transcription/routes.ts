import { Hono } from "hono";
import { trashMs } from "#contract/index.ts";
import { readJsonBytes } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import { pauseJob } from "#server/jobs/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { Diarizer, SpeechEngines } from "#server/speech/index.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Threads } from "#server/threads/threads.ts";
import { endWithShare, ownSummary, readableRow } from "./access-queries.ts";
import { transcriptionOperations as operations } from "./operations.ts";
import { changeTranscription, trashed } from "./queries.ts";
import { transcriptTasks } from "./thread-tasks.ts";
import type { Translator } from "./translator.ts";
import { updateTranscription } from "./update.ts";
import { sendTranscription } from "./view.ts";

interface Parts extends AccessParts {
  concurrency: Concurrency;
  translator: Translator;
  worker: Worker;
  usage: UsageMeter;
  diarizer: Diarizer;
  engines: SpeechEngines;
  threads: Threads;
}

/** Two million characters of new text, with up to four bytes each. */
const updateBytes = 8 * 1024 * 1024;
const base = "/api/v1/audio-transcriptions";

/** Operations on single transcriptions (SPEC.md section 7, "Transcriptions"). */
export function transcriptionRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);

  app.get(`${base}/transcription/:id`, access(operations.read), async (c) => {
    const { row, shared } = await readableRow(deps, c, c.req.param("id"));
    return sendTranscription(c, deps.db, row, 200, shared);
  });

  app.put("/audio/remove-transcription/:id", access(operations.update), takesBody(updateBytes, deps), async (c) => {
    const body = await readJsonBytes(c);
    const update = await deps.threads.run(transcriptTasks.readUpdate, body, {
      person: c.var.user.id,
      size: body.length,
    });
    const { row, shared } = await updateTranscription(deps, c.var.user.id, c.req.param("id"), update, c.var.user.email);
    deps.worker.wake();
    if (shared !== undefined) endWithShare(c, deps, row.id);
    return sendTranscription(c, deps.db, row, 200, shared);
  });

  app.delete("/audio/remove-transcription/:id", access(operations.trash), async (c) => {
    const { id } = await ownSummary(deps, c.var.user.id, c.req.param("id"));
    const deletedAt = deps.now();
    await deps.db.transaction().execute(async (t) => {
      await changeTranscription(t, id, trashed(deletedAt));
      await pauseJob(t, id, true);
    });
    deps.worker.check();
    return c.json({ id, purgeAt: new Date(deletedAt + trashMs).toISOString() });
  });
  return app;
}
