import { randomUUID } from "node:crypto";
import { type SpeechLanguage, titleByDate, titleOfWords } from "#contract/index.ts";
import { mayBeStored } from "#server/db/errors.ts";
import { withoutGuard } from "#server/db/guard.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { enqueueJob, removeJob } from "#server/jobs/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordingSource, type UsageMeter } from "#server/subscription/usage.ts";
import {
  changeKnown,
  changeTranscription,
  findByClientId,
  findTranscriptionOfAnybody,
  insertTranscription,
  type NewTranscription,
  restored,
  type TranscriptionRow,
} from "#server/transcription/queries.ts";
import { dictatedSeconds, isSpoken } from "#server/transcription/spoken-bytes.ts";
import { spokenLanguage } from "#server/transcription/spoken-language.ts";
import { pcmRate } from "#speech/bytes.ts";
import { type PromotedAudio, promoteAudio, spokenSamples } from "./promote-abandoned.ts";
import { attachRecording, findRecording, RecordingClaimedError } from "./queries.ts";
import type { Live } from "./sockets.ts";
import type { dictationTasks } from "./thread-tasks.ts";

/** The parsed request (thread-tasks.ts, `readFinal`). */
type Final = ReturnType<typeof dictationTasks.readFinal>;
/** The dependencies of saving a dictation. */
export interface SaveParts extends DbParts {
  storage: Storage;
  engines: SpeechEngines;
  worker: Worker;
  live: Live;
  usage: UsageMeter;
}

/**
 * Stores a dictation with the audio of its recording. Saving again under the same client id returns the stored one. If
 * the server has promoted the recording to a transcription in the meantime, that gets this text. Recorded speech is
 * saved past the quota too: it had room when it began.
 * @throws Problem `quotaReached` for text without a recording, or for more text than was spoken
 */
export async function saveFinal(parts: SaveParts, userId: string, dictated: Final): Promise<TranscriptionRow> {
  const { db, live, storage } = parts;
  const { final } = dictated;
  const saved = await findByClientId(db, userId, final.clientId);
  if (saved !== undefined) {
    return saveSpoken(dictated, dictatedSeconds(saved), () => withTranslation(db, saved, dictated));
  }
  const recording = final.recordingId === undefined ? undefined : await findRecording(db, userId, final.recordingId);
  if (recording === undefined) return insertOrFind(parts, userId, dictated, undefined);
  if (recording.transcription_id !== null) {
    const row = await findTranscriptionOfAnybody(db, recording.transcription_id);
    if (row === undefined) throw new Problem("gone");
    // The audio of a turn, whose conversation stores its words.
    if (row.recording_id !== recording.id) return insertOrFind(parts, userId, dictated, undefined);
    return saveSpoken(dictated, dictatedSeconds(row), () => overwrite(parts, row.id, dictated));
  }
  await live.release(recording.id);
  const id = randomUUID();
  const promoted = await promoteAudio(storage, recording, id);
  if (promoted.samples === 0) await promoted.audio.discard();
  const samples = await spokenSamples(storage.livePath(recording.id));
  const source = recordingSource(recording);
  await parts.usage.add({ userId, source, samples, acceptedAt: recording.touched_at });
  try {
    const seconds = promoted.samples / pcmRate;
    const row = await saveSpoken(dictated, seconds, () => insertOrFind(parts, userId, dictated, { ...promoted, id }));
    await storage.removeLive(recording.id);
    return row;
  } catch (error) {
    if (!mayBeStored(error)) await promoted.audio.discard();
    // Saved elsewhere in this moment: now it is known.
    if (error instanceof RecordingClaimedError) return saveFinal(parts, userId, dictated);
    throw error;
  }
}

/**
 * Saves past the quota if the recording can contain these words.
 * @param seconds of audio on the server
 */
function saveSpoken<Result>({ final, segments }: Final, seconds: number, save: () => Promise<Result>): Promise<Result> {
  return isSpoken([final.text, final.translatedText, segments], seconds) ? withoutGuard(save) : save();
}

async function insertOrFind(
  { db, engines, worker, now }: SaveParts,
  userId: string,
  dictated: Final,
  promoted: (PromotedAudio & { id: string }) | undefined,
): Promise<TranscriptionRow> {
  const { final, end } = dictated;
  const source_language = await spokenLanguage(final.sourceLanguage, { engines, use: "live", text: final.text });
  const hasAudio = promoted !== undefined && promoted.samples > 0;
  const inserted = await db.transaction().execute(async (t) => {
    // Before the row: no two transcriptions are of one recording.
    if (promoted !== undefined && !(await attachRecording(t, promoted.recording, promoted.id))) throw new RecordingClaimedError();
    const made: NewTranscription = {
      ...contentOf(dictated, source_language),
      id: promoted?.id ?? randomUUID(),
      user_id: userId,
      recording_id: promoted?.recording.id ?? null,
      source_language,
      origin: "dictation",
      duration_seconds: hasAudio ? promoted.samples / pcmRate : end,
      audio_type: hasAudio ? "audio/wav" : null,
      file_name: null,
      engine: promoted === undefined ? null : (promoted.recording.heard_by ?? liveEngine(engines, final.sourceLanguage)),
      deleted_at: null,
    };
    const row = await insertTranscription(t, made, promoted?.audio.bytes);
    if (row === undefined && promoted !== undefined) throw new RecordingClaimedError();
    const isRecognizedHere = hasAudio && promoted.recording.heard_by === null;
    const isToCheck = isRecognizedHere && engines.forLanguage(final.sourceLanguage, "live")?.engine.confidence === false;
    if (row !== undefined && isToCheck) await enqueueJob(t, row.id, now(), { task: "check" });
    return row;
  });
  worker.wake();
  const row = inserted ?? (await findByClientId(db, userId, final.clientId));
  if (row === undefined) throw new Problem("internal", "The transcription could not be saved.");
  return row;
}

const liveEngine = (engines: SpeechEngines, language: SpeechLanguage): string | null =>
  engines.forLanguage(language, "live")?.engine.id ?? null;

/** Adds a translation that was not ready at the first save; changes nothing that was edited since. */
async function withTranslation(db: SaveParts["db"], saved: TranscriptionRow, dictated: Final): Promise<TranscriptionRow> {
  const { text, translatedText: translated_text } = dictated.final;
  if (saved.translated_text !== "" || translated_text === "" || saved.text !== text) return saved;
  return (await changeKnown(db, saved, { translated_text, segments: dictated.segments })) ?? saved;
}

/** The user's own text replaces what the server recognises from the audio. */
async function overwrite({ db, engines, worker }: SaveParts, id: string, dictated: Final): Promise<TranscriptionRow> {
  const { sourceLanguage, text } = dictated.final;
  const source_language = await spokenLanguage(sourceLanguage, { engines, use: "live", text });
  const row = await db.transaction().execute(async (t) => {
    await removeJob(t, id);
    // The user who deleted it had seen only the server's attempt, not this text.
    return changeTranscription(t, id, { ...contentOf(dictated, source_language), source_language, ...restored });
  });
  worker.check();
  if (row === undefined) throw new Problem("gone");
  return row;
}

/** @param language that it was found to be in */
function contentOf({ final, segments }: Final, language: string) {
  const date = Date.parse(final.date);
  return {
    client_id: final.clientId,
    title: final.title || titleOfWords(final.text, language) || titleByDate(date),
    text: final.text,
    translated_text: final.translatedText,
    segments,
    target_language: final.targetLanguage,
    date,
    status: "completed",
    stage: null,
    fraction: null,
    seconds_left: null,
    error_code: final.text.trim() === "" ? "noSpeech" : null,
    error_message: null,
  } as const;
}
