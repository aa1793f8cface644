import { randomUUID } from "node:crypto";
import type { FinalTranscription } from "../../src/api/contract/index.ts";
import { removeJob } from "../db/jobs.ts";
import { attachRecording, findRecording } from "../db/recordings.ts";
import { changeTranscription, findByClientId, insertTranscription, type TranscriptionRow } from "../db/transcriptions.ts";
import type { Deps } from "../deps.ts";
import { type Adopted, adoptAudio } from "../live/adopt.ts";
import { Problem } from "../problem.ts";
import { pcmRate } from "../speech/index.ts";
import { recordingSource } from "../usage/usage.ts";
import { titleByDate } from "./text.ts";

type Parts = Pick<Deps, "db" | "storage" | "live" | "engines" | "worker" | "usage">;

/**
 * Stores what was dictated, with the audio of its recording. Saving again under the same client id answers with what is stored; a
 * recording that the server has turned into a transcription by itself meanwhile gets this text.
 */
export async function saveFinal(parts: Parts, userId: string, final: FinalTranscription): Promise<TranscriptionRow> {
  const { db, live, storage } = parts;
  const saved = await findByClientId(db, userId, final.clientId);
  if (saved !== undefined) return withTranslation(db, saved, final);
  const recording = final.recordingId === undefined ? undefined : await findRecording(db, userId, final.recordingId);
  if (recording === undefined) return insertOrFind(parts, userId, final, undefined);
  if (recording.transcription_id !== null) return overwrite(parts, recording.transcription_id, final);
  await live.release(recording.id);
  const id = randomUUID();
  const adopted = await adoptAudio(storage, recording, id);
  if (adopted.samples === 0) await adopted.audio.discard();
  const work = { userId, source: recordingSource(recording.recording_id), samples: adopted.samples };
  await parts.usage.add({ ...work, acceptedAt: recording.created_at });
  try {
    const row = await insertOrFind(parts, userId, final, { ...adopted, id });
    if (row.id === id) await storage.removeLive(recording.id);
    else await adopted.audio.discard();
    return row;
  } catch (error) {
    await adopted.audio.discard();
    throw error;
  }
}

async function insertOrFind(
  { db, engines }: Parts,
  userId: string,
  final: FinalTranscription,
  adopted: (Adopted & { id: string }) | undefined,
): Promise<TranscriptionRow> {
  const spoken = final.segments.at(-1)?.end ?? null;
  const hasAudio = adopted !== undefined && adopted.samples > 0;
  const inserted = await db.transaction().execute(async (t) => {
    const row = await insertTranscription(t, {
      ...contentOf(final),
      id: adopted?.id ?? randomUUID(),
      user_id: userId,
      recording_id: adopted === undefined ? null : (final.recordingId ?? null),
      source_language: final.sourceLanguage,
      origin: "dictation",
      duration_seconds: hasAudio ? adopted.samples / pcmRate : spoken,
      audio_type: hasAudio ? "audio/wav" : null,
      file_name: null,
      engine: adopted === undefined ? null : (engines.forLanguage(final.sourceLanguage)?.engine.id ?? null),
      deleted_at: null,
    });
    if (row !== undefined && adopted !== undefined) await attachRecording(t, adopted.recording.id, row.id);
    return row;
  });
  const row = inserted ?? (await findByClientId(db, userId, final.clientId));
  if (row === undefined) throw new Problem("internal", "The transcription could not be stored.");
  return row;
}

/** What was saved before its translation was there gets it; nothing that has been corrected since is touched. */
async function withTranslation(db: Parts["db"], saved: TranscriptionRow, final: FinalTranscription): Promise<TranscriptionRow> {
  const { text, translated_text, segments } = contentOf(final);
  if (saved.translated_text !== "" || translated_text === "" || saved.text !== text) return saved;
  return (await changeTranscription(db, saved.id, { translated_text, segments }, saved.revision)) ?? saved;
}

/** The person's own text counts more than what the server was about to make of the audio. */
async function overwrite({ db, worker }: Parts, id: string, final: FinalTranscription): Promise<TranscriptionRow> {
  const row = await db.transaction().execute(async (t) => {
    await removeJob(t, id);
    // Whoever deleted it has seen the server's attempt only, not these words.
    return changeTranscription(t, id, { ...contentOf(final), deleted_at: null });
  });
  worker.check();
  if (row === undefined) throw new Problem("gone");
  return row;
}

function contentOf(final: FinalTranscription) {
  return {
    client_id: final.clientId,
    title: final.title || titleByDate(Date.parse(final.date)),
    text: final.text,
    translated_text: final.translatedText,
    segments: JSON.stringify(final.segments),
    target_language: final.targetLanguage,
    date: Date.parse(final.date),
    status: "completed",
    stage: null,
    fraction: null,
    seconds_left: null,
    error_code: final.text.trim() === "" ? "noSpeech" : null,
    error_message: null,
  } as const;
}
