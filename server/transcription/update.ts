import * as v from "valibot";
import { type ErrorCode, HeardBy, SpeechLanguage, trackLanguage, trashMs } from "#contract/index.ts";
import { currentGuard } from "#server/db/guard.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { Problem, sentenceOf } from "#server/errors/problem.ts";
import { discardTranslations } from "#server/jobs/piece-queries.ts";
import { enqueueJob, findJob, type JobRow, pauseJob, removeJob } from "#server/jobs/queries.ts";
import type { Diarizer, SpeechEngines } from "#server/speech/index.ts";
import { recognizedTrack, tracksOf } from "#server/speech/tracks.ts";
import { jobSource, type UsageMeter } from "#server/subscription/usage.ts";
import { removeUsage } from "#server/subscription/usage-queries.ts";
import type { Threads } from "#server/threads/threads.ts";
import { relabelVoices } from "#server/voice-profiles/profiles.ts";
import { listVoices } from "#server/voice-profiles/queries.ts";
import { findShared, type Shared } from "./access-queries.ts";
import type { Corrected } from "./correct.ts";
import type { Direction } from "./directions.ts";
import { changeKnown, findTranscription, restored, type TranscriptionChange, type TranscriptionRow } from "./queries.ts";
import { transcriptTasks, type Update } from "./thread-tasks.ts";
import type { Translator } from "./translator.ts";
import { isUnfinished, segmentsOf } from "./view.ts";

/** A transcription with its job, if it has one. */
interface Before {
  row: TranscriptionRow;
  job: JobRow | undefined;
}

interface Corrector {
  id: string;
  /** The user's name beside text that can't be merged. */
  name: string;
}

/** Attempts: the worker or another tab may change the row during translation; then everything is repeated. */
const rounds = 5;

interface Parts extends DbParts {
  translator: Translator;
  usage: UsageMeter;
  threads: Threads;
  diarizer: Diarizer;
  engines: Pick<SpeechEngines, "forLanguage">;
}

/**
 * Implements PUT /audio/remove-transcription/{id}.
 * @param userId the corrector: its owner, or a user who may edit it
 * @param by the corrector's name beside text that can't be merged
 * @throws Problem `notFound`, `forbidden` (insufficient share), `gone` (too late to undo), `badRequest`,
 *   `translationUnavailable`, `translationFailed`, `limitReached`, `engineUnavailable` (no diarization models),
 *   `languageUnavailable` (no engine to recognize it again), `conflict` (it can't be diarized or recognized again in
 *   its present state, or the text is already of that sound track), `editedAtOnce`
 */
export async function updateTranscription(
  parts: Parts,
  userId: string,
  id: string,
  update: Update,
  by = "",
): Promise<{ row: TranscriptionRow; shared: Shared | undefined }> {
  for (let round = 0; round < rounds; round++) {
    const { row, shared } = await findCorrected(parts.db, userId, id, update);
    currentGuard()?.addOwner(row.user_id);
    const job = await findJob(parts.db, id);
    const change = await planChange(parts, { row, job }, update, { id: userId, name: by });
    const track = trackOf(parts, row, update);
    const recognizes = update.recognize !== undefined || track !== undefined;
    // A user who corrects the text wants to keep it, so a new recognition is stopped.
    const stopped = !recognizes && update.corrections !== undefined && job?.task === "recognize" ? job : undefined;
    const labels = await labelsAfter(parts, row, change.segments, userId);
    const restarts = update.retry === true && row.status === "failed";
    const costs = track === undefined ? restarts && row.recording_id === null : job?.task !== "recognize";
    if (costs) await parts.usage.refuseOver(userId, row.duration_seconds);
    const changed = await inTransaction(parts.db, async (t) => {
      const after = await changeKnown(t, row, {
        ...change,
        ...(restarts && waitingAgain),
        ...(stopped && correctedMeanwhile),
      });
      if (after === undefined) return undefined;
      if (labels !== undefined) await relabelVoices(t, { userId: row.user_id, transcriptionId: id, at: parts.now() }, labels);
      if (row.deleted_at !== null) await pauseJob(t, id, false);
      if (change.target_language !== undefined) await discardTranslations(t, id);
      // If both are wished for, the job that recognizes also diarizes.
      if (recognizes && job?.task !== "recognize") await enqueueJob(t, id, parts.now(), { task: "recognize", track });
      if (update.diarize !== undefined) await enqueueJob(t, id, parts.now(), { task: "diarize" });
      if (stopped !== undefined) await removeJob(t, id);
      if (stopped !== undefined && stopped.track !== null) await removeUsage(t, row.user_id, jobSource(row, stopped));
      if (restarts) await enqueueJob(t, id, parts.now());
      return after;
    });
    if (changed !== undefined) return { row: changed, shared };
  }
  throw new Problem("editedAtOnce", undefined, { retryAfter: 1 });
}

/**
 * Reads the row before checking the right to correct it: taking the right away changes the row, so that this attempt's
 * change fails.
 * @throws Problem `notFound`, `forbidden`
 */
async function findCorrected(db: Db, userId: string, id: string, update: Update) {
  const own = await findTranscription(db, userId, id, { deleted: update.deletedAt === null });
  if (own !== undefined) return { row: own, shared: undefined };
  const known = await findShared(db, userId, id);
  const row = known && (await findTranscription(db, known.ownerId, id));
  const shared = row && (await findShared(db, userId, id));
  if (row === undefined || shared === undefined) throw new Problem("notFound");
  if (shared.role !== "correct") throw new Problem("forbidden", "You may only read this transcription.");
  if (!isForOthers(update)) throw new Problem("forbidden", "Only the owner may do this. You may correct text and speakers.");
  return { row, shared };
}

/** Whether users other than the owner may make all changes of an update. */
function isForOthers({ title, targetLanguage, deletedAt, retry, diarize, recognize, track }: Update): boolean {
  return [title, targetLanguage, deletedAt, retry, diarize, recognize, track].every((field) => field === undefined);
}

/** The labels of its voices after a change of its segments; undefined when there is nothing to relabel. */
async function labelsAfter(
  { db, threads }: Parts,
  { id, user_id }: TranscriptionRow,
  segments: string | undefined,
  person: string,
) {
  if (segments === undefined) return undefined;
  const voices = await listVoices(db, user_id, id);
  if (voices.length === 0) return undefined;
  const input = { segments, voices: voices.map(({ spans }) => spans) };
  const labels = await threads.run(transcriptTasks.labels, input, { person, size: segments.length });
  return new Map(voices.map(({ idx }, at) => [idx, labels[at] ?? null]));
}

const waitingAgain = {
  status: "processing",
  stage: "waiting",
  fraction: 0,
  seconds_left: null,
  error_code: null,
  error_message: null,
} as const;

const correctedMeanwhile = {
  stage: "finished",
  fraction: 1,
  seconds_left: 0,
  error_code: "correctedMeanwhile",
  error_message: sentenceOf("correctedMeanwhile"),
} as const;

async function planChange(parts: Parts, { row, job }: Before, update: Update, by: Corrector): Promise<TranscriptionChange> {
  const change: TranscriptionChange = {};
  if (row.deleted_at !== null) {
    const isOver = row.erasing === 1 || parts.now() >= row.deleted_at + trashMs;
    if (isOver) throw new Problem("gone", "It is too late to undo this deletion.");
    Object.assign(change, restored);
  }
  if (update.title !== undefined) change.title = update.title;
  const { corrections } = update;
  if (isUnfinished(row)) {
    if (corrections !== undefined)
      throw new Problem("badRequest", "You can correct the text when it is finished.", { status: 409 });
    if (update.targetLanguage !== undefined) change.target_language = update.targetLanguage;
    if (update.diarize !== undefined) throw new Problem("conflict", "Speakers can be identified when the text is finished.");
    if (update.recognize !== undefined || update.track !== undefined)
      throw new Problem("conflict", "Recognition is already running.");
    return change;
  }
  if (update.diarize !== undefined) Object.assign(change, planDiarization(parts, { row, job }, update.diarize));
  if (update.track !== undefined) Object.assign(change, planTrack(parts, { row, job }, update, update.track));
  else if (update.recognize !== undefined) Object.assign(change, planRecognition(parts, { row, job }));
  const before = await segmentsOf(parts.db, row);
  const translates = (update.targetLanguage === undefined ? row.target_language : update.targetLanguage) !== null;
  const after = corrections && (await correctedBy(parts, { before, translates, by, text: row.text }, corrections));
  if (after !== undefined) change.segments = after.segments;
  if (corrections?.ofText === true && after !== undefined) change.text = after.whole ?? after.text;
  if (corrections?.ofTranslations === true && after !== undefined) change.translated_text = after.translatedText;
  const transcript = { segments: after?.segments ?? before, text: change.text ?? row.text, outdated: after?.outdated };
  return { ...change, ...(await planTranslation(parts, row, update, { ...transcript, person: by.id })) };
}

interface Correctable {
  /** The current segments. */
  before: string;
  text: string;
  translates: boolean;
  by: Corrector;
}

function correctedBy(
  { threads }: Parts,
  { before, text, translates, by }: Correctable,
  { body }: NonNullable<Update["corrections"]>,
) {
  const given = { segments: before, body, translates, by: by.name, before: text };
  return threads.run(transcriptTasks.correct, given, { person: by.id, size: before.length + body.length });
}

/** @throws Problem without sound, or without diarization models */
function planDiarization(
  { diarizer }: Parts,
  { row, job }: Before,
  { speakers }: NonNullable<Update["diarize"]>,
): TranscriptionChange {
  if (row.status !== "completed" || row.audio_type === null)
    throw new Problem("conflict", "This server does not have its recording.");
  if (job?.task === "recognize") throw new Problem("conflict", "Recognition is already running.");
  if (!diarizer.isAvailable()) throw new Problem("engineUnavailable");
  return { ...beginning(row, ["diarizationFailed"]), speakers: 1, speaker_count: speakers };
}

/** @throws Problem without sound, without an engine, or when this server has recognized it already */
function planRecognition(parts: Parts, { row, job }: Before): TranscriptionChange {
  refuseWithoutSound(row);
  if (!v.is(HeardBy, row.engine)) throw new Problem("conflict", "This server has already recognized it.");
  return planSecondRecognition(parts, { row, job }, row.source_language);
}

/** @throws Problem when the track does not exist, is already the transcribed one, or can't be recognized */
function planTrack(parts: Parts, { row, job }: Before, update: Update, track: number): TranscriptionChange {
  refuseWithoutSound(row);
  if (track === recognizedTrack(row)) throw new Problem("conflict", "The text already comes from this audio track.");
  if (track > (tracksOf(row)?.length ?? 1))
    throw new Problem("badRequest", "track: the recording does not have this audio track.");
  if (job?.task === "recognize" && job.track !== track) throw new Problem("conflict", "Recognition is already running.");
  return planSecondRecognition(parts, { row, job }, trackOf(parts, row, update)?.language);
}

/** The sound track to recognize, and its language; undefined: none. */
function trackOf({ engines }: Parts, row: TranscriptionRow, { track, sourceLanguage }: Update) {
  if (track === undefined) return undefined;
  const said = tracksOf(row)?.[track - 1];
  const spoken = said && trackLanguage(said);
  const known = spoken !== undefined && engines.forLanguage(spoken, "files") !== undefined ? spoken : row.source_language;
  return { number: track, language: sourceLanguage ?? known };
}

function refuseWithoutSound({ status, audio_type }: TranscriptionRow): void {
  if (status !== "completed" || audio_type === null) throw new Problem("conflict", "This server does not have its recording.");
}

function planSecondRecognition({ engines }: Parts, { row, job }: Before, language: string | undefined): TranscriptionChange {
  if (job?.task === "diarize") throw new Problem("conflict", "Speaker identification is already running.");
  if (!v.is(SpeechLanguage, language) || engines.forLanguage(language, "files") === undefined)
    throw new Problem("languageUnavailable");
  return job?.task === "recognize" ? {} : beginning(row, ["recognitionFailed", "correctedMeanwhile"]);
}

/**
 * The state when a job for a finished transcription begins. @param warnings of earlier jobs, which this one resolves
 */
function beginning({ error_code }: TranscriptionRow, warnings: readonly ErrorCode[]): TranscriptionChange {
  const isWarned = error_code !== null && warnings.includes(error_code);
  const before = isWarned ? { error_code: null, error_message: null } : {};
  return { ...before, stage: "waiting", fraction: 0, seconds_left: null };
}

interface Planned {
  segments: string;
  text: string;
  outdated: Corrected["outdated"] | undefined;
  /** The user who corrects it. */
  person: string;
}

/** The effect of a change on the translation: none, removed, partly renewed, or fully renewed. */
async function planTranslation(
  { translator, threads }: Parts,
  row: TranscriptionRow,
  update: Update,
  { segments, text, outdated, person }: Planned,
): Promise<TranscriptionChange> {
  const chosen = update.targetLanguage !== undefined && update.targetLanguage !== row.target_language;
  const again = update.retry === true && row.error_code === "translationFailed";
  const target = update.targetLanguage === undefined ? row.target_language : update.targetLanguage;
  const corrects = update.corrections?.ofText === true;
  if (!chosen && !again && (!corrects || target === null)) return {};
  const source = row.source_language;
  const given = { segments, hidden: row.hidden_translations, source, from: row.target_language, to: target };
  const size = segments.length + given.hidden.length;
  const other = chosen ? await threads.run(transcriptTasks.languageChosen, given, { person, size }) : undefined;
  const hidden = other && { hidden_translations: other.hidden };
  const now = other?.segments ?? segments;
  if (target === null) return { segments: now, ...hidden, translated_text: "", target_language: null, ...withoutWarning(row) };
  const wanted = { person, size: segments.length };
  const missing = other ?? (await threads.run(transcriptTasks.directions, { segments, source, target }, wanted));
  const { done, problem } = await translateEach(translator, missing.directions, person);
  // A correction is saved even if its translation fails; a translation request is all or nothing.
  if (problem !== undefined && (chosen || again)) throw problem;
  // If its parts can't be translated, a split segment's translation stays with the first part.
  const kept = problem === undefined || outdated === undefined ? done : [outdated, ...done];
  const translated = await threads.run(transcriptTasks.translated, { segments: now, done: kept }, wanted);
  const change = { segments: translated.segments, target_language: target, ...hidden };
  if (missing.count > 0) return { ...change, translated_text: translated.translatedText, ...warningOf(problem, row) };
  try {
    return {
      ...change,
      translated_text: await translator.translateText(text, source, target, { person }),
      ...withoutWarning(row),
    };
  } catch (error) {
    if (chosen || again || !(error instanceof Problem)) throw error;
    return { ...change, translated_text: "", ...warningOf(error, row) };
  }
}

/** A direction that fails does not prevent the others. `problem` explains missing translations. */
async function translateEach(translator: Translator, directions: readonly Direction[], person: string) {
  const done: Pick<Direction, "indices" | "texts">[] = [];
  let problem: Problem | undefined;
  for (const { from, to, indices, texts } of directions) {
    try {
      done.push({ indices, texts: await translator.translateTexts(texts, from, to, { person }) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem ??= error;
    }
  }
  return { done, problem };
}

function warningOf(problem: Problem | undefined, row: TranscriptionRow): TranscriptionChange {
  return problem === undefined
    ? withoutWarning(row)
    : { error_code: "translationFailed", error_message: sentenceOf(problem.code) };
}

function withoutWarning(row: TranscriptionRow): TranscriptionChange {
  return row.error_code === "translationFailed" ? { error_code: null, error_message: null } : {};
}
