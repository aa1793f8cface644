import { Hono } from "hono";
import * as v from "valibot";
import {
  ExportFormat,
  FinalTranscription,
  type HistoryAnswer,
  HistoryQuery,
  TranscriptionUpdate,
  undoMs,
} from "../../src/api/contract/index.ts";
import { pauseJob } from "../db/jobs.ts";
import { changeTranscription, findTranscription, listHistory, type TranscriptionRow } from "../db/transcriptions.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { check, readJson } from "../http/body.ts";
import { requireUser } from "../http/session.ts";
import { Problem } from "../problem.ts";
import { attachment, exportTranscription } from "../transcripts/export.ts";
import { saveFinal } from "../transcripts/save-final.ts";
import { updateTranscription } from "../transcripts/update.ts";
import { summaryOf, transcriptionOf } from "../transcripts/view.ts";

/** Ten hours of dictation with a time for each word are about 10 MB of JSON. */
const transcriptBytes = 32 * 1024 * 1024;
const base = "/api/v1/audio-transcriptions";

/** The row of the id in the path. @throws Problem `notFound`, for other people's too */
export async function ownRow(deps: Pick<Deps, "db">, userId: string, id: string): Promise<TranscriptionRow> {
  const row = await findTranscription(deps.db, userId, id);
  if (row === undefined) throw new Problem("notFound", "There is no such transcription.");
  return row;
}

/** The history and what is done with single transcriptions (SPEC.md section 7, "Transcriptions"). */
export function transcriptionRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);

  app.get(`${base}/transcription-history`, signedIn, async (c) => {
    const { page, limit, search } = check(HistoryQuery, c.req.query());
    const { rows, total } = await listHistory(deps.db, c.var.user.id, { page, limit, search });
    const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
    return c.json({ data: rows.map(summaryOf), pagination } satisfies HistoryAnswer);
  });

  app.get(`${base}/transcription/:id`, signedIn, async (c) => {
    return c.json(await transcriptionOf(deps.db, await ownRow(deps, c.var.user.id, c.req.param("id"))));
  });

  app.get(`${base}/transcription/:id/export`, signedIn, async (c) => {
    const { format, lng } = check(v.object({ format: ExportFormat, lng: v.optional(v.string(), "en") }), c.req.query());
    const row = await ownRow(deps, c.var.user.id, c.req.param("id"));
    const { body, type } = await exportTranscription(await transcriptionOf(deps.db, row), format, lng);
    return c.body(body, 200, { "Content-Type": type, "Content-Disposition": attachment(row.title, format) });
  });

  app.post(`${base}/save-final-transcription`, signedIn, async (c) => {
    const final = await readJson(c, FinalTranscription, transcriptBytes);
    const row = await saveFinal(deps, c.var.user.id, final);
    return c.json(await transcriptionOf(deps.db, row));
  });

  app.put("/audio/remove-transcription/:id", signedIn, async (c) => {
    const update = await readJson(c, TranscriptionUpdate, transcriptBytes);
    const row = await updateTranscription(deps, c.var.user.id, c.req.param("id"), update);
    deps.worker.wake();
    return c.json(await transcriptionOf(deps.db, row));
  });

  app.delete("/audio/remove-transcription/:id", signedIn, async (c) => {
    const { id } = await ownRow(deps, c.var.user.id, c.req.param("id"));
    const deletedAt = deps.now();
    await deps.db.transaction().execute(async (t) => {
      await changeTranscription(t, id, { deleted_at: deletedAt });
      await pauseJob(t, id, true);
    });
    deps.worker.check();
    return c.json({ id, purgeAt: new Date(deletedAt + undoMs).toISOString() });
  });
  return app;
}
