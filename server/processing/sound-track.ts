import type { Db } from "#server/db/open.ts";
import { describeError } from "#server/log/log.ts";
import { soundKind, tracksOf } from "#server/speech/tracks.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import { findTranscriptionOfAnybody, getTranscription } from "#server/transcription/queries.ts";
import { makeSound } from "#server/transcription/recognized-audio.ts";
import { findVideo, putVideo } from "#server/video/queries.ts";
import { eraseVoices } from "#server/voice-profiles/profiles.ts";
import type { DecodedJob } from "./decode-step.ts";
import type { JobRun } from "./steps.ts";

/**
 * Resets data of the previous audio track: the picture is made again.
 * @param hasVoices whether the voices of the new one are known
 */
export async function forgetTrack(t: Db, { now, row }: JobRun, hasVoices: boolean): Promise<void> {
  await noteAudioChange(t, row.id);
  const picture = await findVideo(t, { transcription_id: row.id, kind: "picture" });
  if (picture !== undefined && picture.state !== "none") {
    await putVideo(t, { transcription_id: row.id, kind: "picture", user_id: row.user_id, state: "waiting", asked_at: now() });
  }
  if (!hasVoices) await eraseVoices(t, { userId: row.user_id, transcriptionId: row.id });
}

/** Makes the audio that browsers play, unless it is the recording itself. A text never waits or fails because of it. */
export async function keepSound(run: JobRun, { hasHoles }: DecodedJob): Promise<void> {
  const { db, row, job, signal, log } = run;
  const heard = {
    ...(await getTranscription(db, row.id)),
    ...(job.track !== null && { track: job.track, holes: hasHoles ? 1 : 0 }),
  };
  const kind = soundKind(heard);
  if (kind === undefined || (await run.storage.videos.file(row.id, kind)) !== undefined) return;
  const pcm = run.storage.pcmPath(row.id);
  await makeSound(run, heard, { kind, pcm, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warn("audio track not copied", { id: row.id, ...describeError(error) });
  });
}

/**
 * Removes the copies of all tracks except the text's: after a failure, the copy of the new one. Also removes the peaks,
 * which are made again on request.
 */
export async function forgetFiles({ db, storage, row: { id }, log }: JobRun): Promise<void> {
  const forget = async () => {
    const row = await findTranscriptionOfAnybody(db, id);
    if (row === undefined) return;
    await storage.peaks.remove(id);
    for (const index of (tracksOf(row) ?? []).keys()) {
      const kind = `sound-${index + 1}` as const;
      if (kind !== soundKind(row)) await storage.videos.remove(id, kind);
    }
  };
  await forget().catch((error: unknown) => log.warn("files of other audio tracks not removed", { id, ...describeError(error) }));
}
