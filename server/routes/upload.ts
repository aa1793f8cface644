import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { UploadFields } from "../../src/api/contract/index.ts";
import { enqueueJob } from "../db/jobs.ts";
import {
  findByClientId,
  insertTranscription,
  type NewTranscription,
  type TranscriptionRow,
  waitingToBeMade,
} from "../db/transcriptions.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { check } from "../http/body.ts";
import { requireUser } from "../http/session.ts";
import { type ArrivingFile, receiveUpload } from "../http/upload.ts";
import { Problem } from "../problem.ts";
import type { Incoming } from "../storage.ts";
import { titleByDate } from "../transcripts/text.ts";
import { transcriptionOf } from "../transcripts/view.ts";

type Fields = ReturnType<typeof parseFields>;

/** POST upload-and-transcribe: a file becomes a transcription that is made in the background. */
export function uploadRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.post("/api/v1/audio-transcriptions/upload-and-transcribe", requireUser(deps), async (c) => {
    const user = c.var.user;
    const row = await receiveUpload(c.env.incoming, deps.config.maxUploadBytes, (raw, file) => {
      const fields = parseFields(deps, raw);
      return takeFile(deps, user.id, fields, file);
    });
    deps.worker.wake();
    return c.json(await transcriptionOf(deps.db, row), 202);
  });
  return app;
}

/** What can't work is refused before the file has come. @throws Problem */
function parseFields({ engines, translator }: Deps, raw: Record<string, string>) {
  const fields = check(UploadFields, raw);
  if (engines.forLanguage(fields.sourceLanguage) === undefined) throw new Problem("languageUnavailable");
  const { sourceLanguage, targetLanguage } = fields;
  if (targetLanguage !== undefined && !translator.supports(sourceLanguage, targetLanguage)) {
    throw new Problem("translationUnavailable");
  }
  return fields;
}

async function takeFile(deps: Deps, userId: string, fields: Fields, file: ArrivingFile): Promise<TranscriptionRow> {
  const known = await findByClientId(deps.db, userId, fields.clientId);
  if (known !== undefined) {
    // The answer to an earlier attempt was lost. What comes now is read to its end, or the page would not see this answer.
    await file.skip();
    return known;
  }
  await deps.usage.refuseAtLimit(userId);
  const id = randomUUID();
  const incoming = deps.storage.receive(id);
  try {
    const size = await file.writeTo(incoming.stream);
    if (size < (fields.size ?? size)) throw new Problem("interrupted");
    if (size === 0) throw new Problem("emptyFile");
    await incoming.keep();
    return await storeUpload(deps, incoming, newRow(id, userId, fields, file, deps.now()));
  } catch (error) {
    await incoming.discard();
    throw error;
  }
}

async function storeUpload(deps: Deps, incoming: Incoming, row: NewTranscription): Promise<TranscriptionRow> {
  const stored = await deps.db.transaction().execute(async (t) => {
    const inserted = await insertTranscription(t, row);
    if (inserted !== undefined) await enqueueJob(t, row.id, deps.now());
    return inserted;
  });
  if (stored !== undefined) return stored;
  // The same upload came twice at the same time, and the other one was first.
  await incoming.discard();
  const other = await findByClientId(deps.db, row.user_id, row.client_id);
  if (other === undefined) throw new Problem("internal");
  return other;
}

function newRow(id: string, userId: string, fields: Fields, file: ArrivingFile, at: number): NewTranscription {
  return {
    ...waitingToBeMade,
    id,
    user_id: userId,
    client_id: fields.clientId,
    recording_id: null,
    title: fields.title || titleFrom(file.name) || titleByDate(at),
    source_language: fields.sourceLanguage,
    target_language: fields.targetLanguage ?? null,
    date: at,
    origin: "upload",
    audio_type: playableType(file),
    file_name: file.name === "" ? null : file.name,
  };
}

function titleFrom(fileName: string): string {
  return fileName.replace(/\.[A-Za-z0-9]{1,5}$/, "").trim();
}

const typesByEnding: Record<string, string> = {
  aac: "audio/aac",
  flac: "audio/flac",
  m4a: "audio/mp4",
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  webm: "video/webm",
};

/** What the audio is served as later: never a type that a browser shows as a page or runs. */
function playableType({ name, type }: ArrivingFile): string {
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const known = typesByEnding[ending];
  if (known !== undefined) return known;
  return /^(audio|video)\/[\w.+-]{1,60}$/.test(type) ? type : "application/octet-stream";
}
