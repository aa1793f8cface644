import { mayBeStored } from "#server/db/errors.ts";
import type { Db } from "#server/db/open.ts";
import { findTouched } from "#server/dictation/queries.ts";
import { Problem, sentenceOf } from "#server/errors/problem.ts";
import { JobTakenOver } from "#server/jobs/handler.ts";
import { finishedPieces } from "#server/jobs/piece-queries.ts";
import { checkNext, isLeased, removeJob } from "#server/jobs/queries.ts";
import type { SpeechEngine } from "#server/speech/index.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import { jobSource } from "#server/subscription/usage.ts";
import { countUsage, settleUsage } from "#server/subscription/usage-queries.ts";
import { changeTranscription, findTranscription, type TranscriptionChange } from "#server/transcription/queries.ts";
import { spokenLanguage } from "#server/transcription/spoken-language.ts";
import { transcriptTasks } from "#server/transcription/thread-tasks.ts";
import { findFetch, removeFetch } from "#server/uploads/fetch-queries.ts";
import { playableType, titleFrom } from "#server/uploads/fields.ts";
import { pcmRate } from "#speech/bytes.ts";
import { type DecodedJob, decodeStep } from "./decode-step.ts";
import { diarizes } from "./diarize-step.ts";
import { recognizeStep } from "./recognize-step.ts";
import { forgetFiles, forgetTrack, keepSound } from "./sound-track.ts";
import { type JobRun, translateStep, wantsDiarization } from "./steps.ts";

/**
 * Makes one transcription, resuming where the last run stopped. It is complete in the database when this resolves.
 * @throws the error; the signal's reason when it was aborted
 */
export async function runJob(run: JobRun): Promise<void> {
  try {
    await makeText(run);
  } finally {
    if (run.job.track !== null) await forgetFiles(run);
  }
}

async function makeText(run: JobRun): Promise<void> {
  const { signal, row, job } = run;
  await fetchStep(run);
  signal.throwIfAborted();
  const decoded = await decodeStep(run);
  signal.throwIfAborted();
  await holdMinutes(run, decoded.samples);
  // The copy is made from the decoded audio, which the next attempt writes again, so both are awaited.
  const [recognized] = await Promise.allSettled([recognizeStep(run), keepSound(run, decoded)]);
  signal.throwIfAborted();
  if (recognized.status === "rejected") throw recognized.reason;
  const engine = recognized.value;
  const isToBeDiarized = wantsDiarization(run, engine);
  const diarizationFailed = isToBeDiarized && !(await diarizes(run, decoded.samples));
  const hasVoices = job.diarized === 1 || (isToBeDiarized && !diarizationFailed);
  if (job.track !== null) await run.storage.peaks.remove(row.id);
  for (;;) {
    signal.throwIfAborted();
    const wished = await currentTarget(run);
    // The language of another audio track may be that of the translation.
    const target = wished === row.source_language.slice(0, 2) ? null : wished;
    const translationFailed = target !== null && !(await translates(run, target));
    if (await finish(run, { ...decoded, engine, wished, target, translationFailed, diarizationFailed, hasVoices })) break;
  }
  if (engine.confidence !== false) await run.storage.removePcm(run.job.transcription_id);
}

/**
 * Reserves a file's whole length, which must fit into the remaining free minutes; the amount of speech is known at the
 * end. Dictation was counted while it was recorded.
 * @throws Problem `limitReached`
 */
async function holdMinutes({ db, usage, job, row }: JobRun, samples: number): Promise<void> {
  if (row.recording_id !== null) return;
  // Stored here, so that a file that does not fit need not be decoded again to be refused.
  if (job.track === null) await changeTranscription(db, row.id, { duration_seconds: samples / pcmRate });
  await usage.admit({ userId: row.user_id, source: jobSource(row, job), samples, acceptedAt: job.created_at });
}

/**
 * Counts the words that this server has recognized, before they can be corrected.
 * @param seconds of speech
 */
async function countSpoken(t: Db, { row, job }: JobRun, made: Made, seconds: number): Promise<void> {
  const samples = Math.min(made.samples, Math.round(seconds * pcmRate));
  const spoken = { userId: row.user_id, source: jobSource(row, job), samples };
  if (row.recording_id === null) await settleUsage(t, spoken);
  // Its date comes from the page.
  else await countUsage(t, { ...spoken, acceptedAt: (await findTouched(t, row.recording_id)) ?? job.created_at });
}

/** Read each time: the target language may change while the job runs. */
async function currentTarget({ db, row }: JobRun): Promise<string | null> {
  return (await findTranscription(db, row.user_id, row.id))?.target_language ?? null;
}

/** The text is useful without its translation: a failure there is only a warning. */
async function translates(run: JobRun, target: string): Promise<boolean> {
  try {
    await translateStep(run, target);
    return true;
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof Problem) return false;
    throw error;
  }
}

interface Made extends DecodedJob {
  engine: SpeechEngine;
  /** The requested language of the translation, and the actual one. */
  wished: string | null;
  target: string | null;
  translationFailed: boolean;
  diarizationFailed: boolean;
  /** Its voices are known. */
  hasVoices: boolean;
}

/** @returns false when the target language was changed just before the end */
async function finish(run: JobRun, made: Made): Promise<boolean> {
  const { db, engines, threads, job, row } = run;
  const pieces = await finishedPieces(db, row.id);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const spoken = row.source_language;
  const language = spoken === "auto" ? (engines.forLanguage("auto", "files")?.language ?? spoken) : spoken;
  const transcript = await threads.run(transcriptTasks.joined, { pieces, language }, { person: row.user_id, size });
  const source_language = await spokenLanguage(spoken, { engines, use: "files", text: transcript.text });
  return db.transaction().execute(async (t) => {
    const current = await findTranscription(t, row.user_id, row.id);
    if (current === undefined || !(await isLeased(t, job))) throw new JobTakenOver();
    if (current.target_language !== made.wished) return false;
    const change: TranscriptionChange = {
      status: "completed",
      source_language,
      target_language: made.target,
      text: transcript.text,
      translated_text: made.target === null ? "" : transcript.translatedText,
      segments: transcript.segments,
      engine: made.engine.id,
      duration_seconds: made.samples / pcmRate,
      stage: "finished",
      fraction: 1,
      seconds_left: 0,
      ...warningOf(made, transcript.count),
      ...(job.track !== null && { track: job.track, holes: made.hasHoles ? 1 : 0, hidden_translations: "{}" }),
    };
    await changeTranscription(t, row.id, change);
    await countSpoken(t, run, made, transcript.spoken);
    if (job.track !== null) await forgetTrack(t, run, made.hasVoices);
    if (made.engine.confidence === false) await checkNext(t, row.id, run.now());
    else await removeJob(t, row.id);
    return true;
  });
}

function warningOf({ translationFailed, truncated, diarizationFailed }: Made, segments: number): TranscriptionChange {
  const code = translationFailed
    ? "translationFailed"
    : truncated
      ? "truncated"
      : segments === 0
        ? "noSpeech"
        : diarizationFailed
          ? "diarizationFailed"
          : null;
  return { error_code: code, error_message: code === null ? null : sentenceOf(code) };
}

/**
 * Downloads the recording, unless it is stored already or was uploaded. A download cut off by a crash starts again.
 * @throws Problem (`quotaReached` too), FetchProblem (uploads/fetching/fetch.ts); the signal's reason
 */
async function fetchStep(run: JobRun): Promise<void> {
  const { db, storage, row, progress, report, progressed, signal, fetchAudio, quota } = run;
  if (row.origin !== "url") return;
  const address = await findFetch(db, row.id);
  progress.fetching();
  if (address === undefined) return;
  await report();
  const incoming = storage.receiveAgain(row.id);
  try {
    const fetched = await fetchAudio(address, incoming.stream, {
      person: row.user_id,
      signal,
      onProgress: (done, total) => progress.fetched(done, total),
    });
    await incoming.keep();
    const store = async (t: Db) => {
      const said = fetched.title || titleFrom(fetched.name);
      const current = await changeTranscription(t, row.id, {
        audio_type: playableType(fetched),
        file_name: fetched.name || row.file_name,
      });
      // A title chosen by the user is kept.
      if (said !== "" && current?.title === row.file_name) await changeTranscription(t, row.id, { title: said.slice(0, 300) });
      await noteAudioChange(t, row.id, incoming.bytes);
      await removeFetch(t, row.id);
    };
    await quota.within(
      () => row.user_id,
      () => db.transaction().execute(store),
    );
  } catch (error) {
    if (!mayBeStored(error)) await incoming.discard();
    throw error;
  }
  await progressed();
}
