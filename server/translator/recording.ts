import type { Db, DbParts } from "#server/db/open.ts";
import { spokenSamples, wholeSamples } from "#server/dictation/promote-abandoned.ts";
import { attachRecording, findRecording, type RecordingRow, removeRecording } from "#server/dictation/queries.ts";
import { restoreRecording } from "#server/dictation/recording-file.ts";
import type { Live } from "#server/dictation/sockets.ts";
import { removeJob } from "#server/jobs/queries.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { Storage } from "#server/storage/storage.ts";
import { fileOfSize } from "#server/storage/stored-file.ts";
import { recordingSource, type UsageMeter } from "#server/subscription/usage.ts";
import { changeTranscription, erased, findTranscriptionOfAnybody } from "#server/transcription/queries.ts";
import { type Stretch, wavStretch } from "./audio.ts";

interface Parts extends DbParts {
  storage: Storage;
  worker: Worker;
  live: Live;
  usage: UsageMeter;
}

/** The audio of a turn, wherever it is stored. */
export interface Spoken {
  stretch: Stretch;
  /**
   * Moves the recording into a transcription, in the transaction that stores the turn. False when it was moved
   * elsewhere.
   */
  attach(t: Db, transcriptionId: string): Promise<boolean>;
  /** Cleans up after that transaction. */
  tidy(): Promise<void>;
}

/**
 * A turn's live recording, closed for more audio. Undefined for a typed turn, or when this transcription already has
 * its audio.
 */
export async function findSpoken(
  parts: Parts,
  userId: string,
  turnId: string,
  transcriptionId: string | undefined,
): Promise<Spoken | undefined> {
  const recording = await findRecording(parts.db, userId, turnId);
  if (recording === undefined) return undefined;
  if (recording.transcription_id === null) return fromLive(parts, recording);
  return recording.transcription_id === transcriptionId ? undefined : fromPromoted(parts, recording, recording.transcription_id);
}

async function fromLive({ live, storage, usage }: Parts, recording: RecordingRow): Promise<Spoken> {
  await live.release(recording.id);
  const path = await restoreRecording(storage, recording.id);
  const samples = await wholeSamples(path);
  const { user_id, touched_at } = recording;
  const source = recordingSource(recording);
  await usage.add({ userId: user_id, source, samples: await spokenSamples(path), acceptedAt: touched_at });
  return {
    stretch: { file: fileOfSize(`${path}.pcm`, samples * 2), startByte: 0, samples },
    attach: (t, transcriptionId) => attachRecording(t, recording, transcriptionId),
    tidy: () => storage.removeLive(recording.id),
  };
}

/**
 * The server has promoted the recording to a transcription, because its turn did not arrive. The turn replaces that
 * transcription.
 */
async function fromPromoted(
  { db, storage, worker, now }: Parts,
  recording: RecordingRow,
  id: string,
): Promise<Spoken | undefined> {
  const row = await findTranscriptionOfAnybody(db, id);
  if (row?.client_id !== `recording:${recording.recording_id}`) return undefined;
  const audio = await storage.audio(id);
  if (audio === undefined) return undefined;
  return {
    stretch: wavStretch(audio),
    attach: async (t, transcriptionId) => {
      await removeJob(t, id);
      await changeTranscription(t, id, erased(row.deleted_at ?? now()));
      return attachRecording(t, recording, transcriptionId);
    },
    tidy: async () => worker.check(),
  };
}

/** Deletes the live recording of a deleted turn, if it was not promoted. @returns whether there was one */
export async function dropRecording({ db, live, storage }: Parts, userId: string, turnId: string): Promise<boolean> {
  const recording = await findRecording(db, userId, turnId);
  if (recording === undefined || recording.transcription_id !== null) return false;
  await live.release(recording.id);
  await removeRecording(db, recording.id);
  await storage.removeLive(recording.id);
  return true;
}
