import { randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { type Segment, SpeechLanguage, titleByDate } from "#contract/index.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { enqueueJob } from "#server/jobs/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { type SpeechEngines, wavHeader } from "#server/speech/index.ts";
import type { Incoming, Storage } from "#server/storage/storage.ts";
import { insertTranscription, type NewTranscription, waitingToBeMade } from "#server/transcription/queries.ts";
import { spokenLanguage } from "#server/transcription/spoken-language.ts";
import { pcmRate } from "#speech/bytes.ts";
import { attachRecording, findRecording, listFinals, listIdle, type RecordingRow, removeRecording } from "./queries.ts";
import { measureSpoken, RecordingFile, restoreRecording } from "./recording-file.ts";
import type { Live } from "./sockets.ts";

/** A recording without activity for this long is abandoned (milliseconds). */
const abandonedMs = 30 * 60 * 1000;

export interface PromotedAudio {
  recording: RecordingRow;
  /** The caller keeps or discards it. */
  audio: Incoming;
  samples: number;
}

/** Converts a recording to the audio of a transcription that is about to be stored: a WAV file, written as a stream. */
export async function promoteAudio(storage: Storage, recording: RecordingRow, transcriptionId: string): Promise<PromotedAudio> {
  const path = await restoreRecording(storage, recording.id);
  const samples = await wholeSamples(path);
  const audio = storage.receive(transcriptionId);
  try {
    audio.stream.write(wavHeader(samples));
    if (samples === 0) await pipeline([], audio.stream);
    else await pipeline(createReadStream(`${path}.pcm`), audio.stream);
    await audio.keep();
  } catch (error) {
    await audio.discard();
    throw error;
  }
  return { recording, audio, samples };
}

/** The recording's length, without a frame truncated by a crash; 0 when nothing was written. */
export async function wholeSamples(path: string): Promise<number> {
  if (!existsSync(`${path}.pcm`)) return 0;
  const file = await RecordingFile.open(path);
  await file.close();
  return file.samples;
}

/** The speech in a recording, in samples; 0 if nothing was written. */
export async function spokenSamples(path: string): Promise<number> {
  if (!existsSync(`${path}.pcm`)) return 0;
  const file = await RecordingFile.open(path);
  try {
    return (await measureSpoken(file)).samples;
  } finally {
    await file.close();
  }
}

interface Parts extends DbParts {
  storage: Storage;
  worker: Worker;
  live: Live;
  engines: SpeechEngines;
  /** Whether a recording was a turn of a conversation that has been deleted: then it is not promoted. */
  isDeletedTurn(db: Db, userId: string, recordingId: string): Promise<boolean>;
}

/** Turns abandoned recordings into ordinary transcriptions, to be made from their audio. */
export async function promoteAbandoned(parts: Parts): Promise<void> {
  const { db, storage, now, live, worker, engines, isDeletedTurn } = parts;
  for (const idle of await listIdle(db, now() - abandonedMs)) {
    await live.release(idle.id);
    const recording = await findRecording(db, idle.user_id, idle.recording_id);
    if (recording === undefined || recording.transcription_id !== null) continue;
    if (await isDeletedTurn(db, idle.user_id, idle.recording_id)) {
      await removeRecording(db, recording.id);
      await storage.removeLive(recording.id);
      continue;
    }
    const id = randomUUID();
    const { audio, samples } = await promoteAudio(storage, recording, id);
    if (samples === 0) {
      await audio.discard();
      await removeRecording(db, recording.id);
    } else {
      const recognized = await recognizedByPage(db, engines, recording);
      const made = recognized && (await recognizedRow(recognized, { engines, recording, samples }));
      const isPromoted = await db.transaction().execute(async (t) => {
        if (!(await attachRecording(t, recording, id))) return false;
        await insertTranscription(t, { ...abandonedRow(recording, id), ...made }, audio.bytes);
        if (recognized === undefined) await enqueueJob(t, id, now(), { isUrgent: true });
        return true;
      });
      // Its page has just saved it.
      if (!isPromoted) await audio.discard();
    }
    await storage.removeLive(recording.id);
    worker.wake();
  }
}

/**
 * The words that the page has recognized, if they are complete or if no engine here can recognize it again; undefined:
 * recognize it here.
 */
async function recognizedByPage(db: Db, engines: SpeechEngines, recording: RecordingRow): Promise<Segment[] | undefined> {
  if (recording.heard_by === null) return undefined;
  const language = v.safeParse(SpeechLanguage, recording.source_language);
  const canRepeat = language.success && engines.forLanguage(language.output, "files") !== undefined;
  if (canRepeat && recording.total_frames === null) return undefined;
  const finals = await listFinals(db, recording.id);
  return finals.length === 0 ? undefined : finals;
}

interface Recognized extends Pick<Parts, "engines"> {
  recording: RecordingRow;
  samples: number;
}

async function recognizedRow(segments: readonly Segment[], { engines, recording, samples }: Recognized) {
  const text = segments.map((segment) => segment.text).join(" ");
  return {
    source_language: await spokenLanguage(recording.source_language, { engines, use: "live", text }),
    text,
    segments: JSON.stringify(segments),
    status: "completed",
    stage: null,
    fraction: null,
    duration_seconds: samples / pcmRate,
    engine: recording.heard_by,
  } as const;
}

function abandonedRow(recording: RecordingRow, id: string): NewTranscription {
  return {
    ...waitingToBeMade,
    id,
    user_id: recording.user_id,
    client_id: `recording:${recording.recording_id}`,
    recording_id: recording.id,
    title: titleByDate(recording.created_at),
    source_language: recording.source_language,
    target_language: recording.target_language,
    date: recording.created_at,
    origin: "dictation",
    audio_type: "audio/wav",
    file_name: null,
  };
}
