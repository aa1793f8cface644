import { Hono } from "hono";
import * as v from "valibot";
import { ExportContent, ExportFormat, trashMs } from "#contract/index.ts";
import { check, readJsonBytes } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import { exportShare, type Places } from "#server/http/places.ts";
import { pauseJob } from "#server/jobs/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { Diarizer } from "#server/speech/index.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Threads } from "#server/threads/threads.ts";
import { attachment, FileTitle, fileTitleOf } from "./export.ts";
import { exportRow } from "./export-row.ts";
import { ownRow, ownSummary } from "./own.ts";
import { changeTranscription, trashed } from "./queries.ts";
import type { Translator } from "./translator.ts";
import { updateTranscription } from "./update.ts";
import { factsOf, sendTranscription } from "./view.ts";
import { transcriptWork } from "./work.ts";

interface Parts extends SignInParts {
  /** Epoch milliseconds. */
  now: () => number;
  translator: Translator;
  worker: Worker;
  usage: UsageMeter;
  diarizer: Diarizer;
  places: Places;
  threads: Threads;
}

/** Two million characters of new text, of up to four bytes each. */
const updateBytes = 8 * 1024 * 1024;
const base = "/api/v1/audio-transcriptions";
const ExportQuery = v.object({
  format: ExportFormat,
  content: v.optional(ExportContent, "both"),
  lng: v.optional(v.string(), "en"),
  name: FileTitle,
});

/** Operations on single transcriptions (SPEC.md section 7, "Transcriptions"). */
export function transcriptionRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);

  app.get(`${base}/transcription/:id`, signedIn, async (c) => {
    return sendTranscription(c, deps.db, await ownRow(deps, c.var.user.id, c.req.param("id")));
  });

  app.get(`${base}/transcription/:id/export`, signedIn, async (c) => {
    const { format, content, lng, name } = check(ExportQuery, c.req.query());
    const row = await ownRow(deps, c.var.user.id, c.req.param("id"));
    const make = () => exportRow(deps, row, { format, content, language: lng });
    const { bytes, type } = await deps.places.run(exportShare, c.var.user.id, c.req.raw.signal, make);
    return c.body(bytes, 200, {
      "Content-Type": type,
      "Content-Disposition": attachment(name ?? fileTitleOf(factsOf(row)), format),
    });
  });

  app.put("/audio/remove-transcription/:id", takesBody(updateBytes), signedIn, async (c) => {
    const body = await readJsonBytes(c);
    const update = await deps.threads.run(transcriptWork.readUpdate, body, body.length);
    const row = await updateTranscription(deps, c.var.user.id, c.req.param("id"), update);
    deps.worker.wake();
    return sendTranscription(c, deps.db, row);
  });

  app.delete("/audio/remove-transcription/:id", signedIn, async (c) => {
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
