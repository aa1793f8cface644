import { type Segment, type TranscriptionUpdate, undoMs } from "../../src/api/contract/index.ts";
import { enqueueJob, forgetTranslations, pauseJob } from "../db/jobs.ts";
import type { Db } from "../db/open.ts";
import {
  changeTranscription,
  findTranscription,
  inTransaction,
  type TranscriptionChange,
  type TranscriptionRow,
} from "../db/transcriptions.ts";
import { Problem } from "../problem.ts";
import type { UsageMeter } from "../usage/usage.ts";
import { translateEach } from "./directions.ts";
import { replaceText, retimeSegment } from "./retime.ts";
import { textOf, translatedTextOf } from "./text.ts";
import type { Translator } from "./translator.ts";
import { isUnfinished, segmentsOf } from "./view.ts";

/** Someone else (the worker, another tab) may change the row while a translation is made; then it is all done again. */
const rounds = 5;

interface Parts {
  db: Db;
  now: () => number;
  translator: Translator;
  usage: UsageMeter;
}

/**
 * Does what PUT /audio/remove-transcription/{id} asks for.
 * @throws Problem `notFound`, `gone` (too late to undo), `badRequest`, `translationUnavailable`, `translationFailed`, `limitReached`
 */
export async function updateTranscription(
  parts: Parts,
  userId: string,
  id: string,
  update: TranscriptionUpdate,
): Promise<TranscriptionRow> {
  for (let round = 0; round < rounds; round++) {
    const row = await findTranscription(parts.db, userId, id, { deleted: update.deletedAt === null });
    if (row === undefined) throw new Problem("notFound");
    const change = await planChange(parts, row, update);
    const restarts = update.retry === true && row.status === "failed";
    if (restarts && row.recording_id === null) await parts.usage.refuseOver(userId, row.duration_seconds);
    const changed = await inTransaction(parts.db, async (t) => {
      const after = await changeTranscription(t, id, restarts ? { ...change, ...waitingAgain } : change, row.revision);
      if (after === undefined) return undefined;
      if (row.deleted_at !== null) await pauseJob(t, id, false);
      if (change.target_language !== undefined) await forgetTranslations(t, id);
      if (restarts) await enqueueJob(t, id, parts.now());
      return after;
    });
    if (changed !== undefined) return changed;
  }
  throw new Problem("internal", "The transcription was changed by someone else over and over. Try again.", { status: 409 });
}

const waitingAgain = {
  status: "processing",
  stage: "waiting",
  fraction: 0,
  seconds_left: null,
  error_code: null,
  error_message: null,
} as const;

async function planChange(parts: Parts, row: TranscriptionRow, update: TranscriptionUpdate): Promise<TranscriptionChange> {
  const change: TranscriptionChange = {};
  if (row.deleted_at !== null) {
    if (parts.now() >= row.deleted_at + undoMs) throw new Problem("gone", "It is too late to undo this deletion.");
    change.deleted_at = null;
  }
  if (update.title !== undefined) change.title = update.title;
  const corrects = update.text !== undefined || update.edits !== undefined;
  const changes = corrects || update.speakers !== undefined;
  if (isUnfinished(row)) {
    if (changes) throw new Problem("badRequest", "The text can be corrected when it is finished.", { status: 409 });
    if (update.targetLanguage !== undefined) change.target_language = update.targetLanguage;
    return change;
  }
  const before = await segmentsOf(parts.db, row);
  const corrected = attribute(corrects ? correct(before, update) : before, update);
  if (changes) change.segments = JSON.stringify(corrected);
  if (corrects) change.text = update.text ?? textOf(corrected);
  return { ...change, ...(await planTranslation(parts, row, update, corrected, change.text ?? row.text)) };
}

function correct(segments: readonly Segment[], { text, edits }: TranscriptionUpdate): Segment[] {
  const whole = text === undefined ? [...segments] : replaceText(segments, text);
  for (const edit of edits ?? []) {
    const segment = whole[edit.index];
    if (segment === undefined) throw new Problem("badRequest", `edits: there is no segment ${edit.index}.`);
    if (segment.text !== edit.text.trim()) whole[edit.index] = retimeSegment(segment, edit.text);
  }
  return whole;
}

/** Says who spoke. */
function attribute(segments: Segment[], { speakers = [] }: TranscriptionUpdate): Segment[] {
  const attributed = [...segments];
  for (const { name, segments: indices } of speakers) {
    for (const index of indices) {
      const segment = attributed[index];
      if (segment === undefined) throw new Problem("badRequest", `speakers: there is no segment ${index}.`);
      const { speaker: _, ...nobody } = segment;
      attributed[index] = name === null ? nobody : { ...nobody, speaker: name };
    }
  }
  return attributed;
}

/** What a change means for the translation: nothing, none any more, a part again, or everything. */
async function planTranslation(
  { translator }: Parts,
  row: TranscriptionRow,
  update: TranscriptionUpdate,
  segments: Segment[],
  text: string,
): Promise<TranscriptionChange> {
  const chosen = update.targetLanguage !== undefined && update.targetLanguage !== row.target_language;
  const again = update.retry === true && row.error_code === "translationFailed";
  const target = update.targetLanguage === undefined ? row.target_language : update.targetLanguage;
  const corrects = update.text !== undefined || update.edits !== undefined;
  if (!chosen && !again && (!corrects || target === null)) return {};
  if (target === null) {
    const bare = segments.map(withoutTranslation);
    return { segments: JSON.stringify(bare), translated_text: "", target_language: null, ...withoutWarning(row) };
  }
  // What has a language of its own to be translated to, the other side of a conversation, keeps to it.
  const isOwn = ({ translationLanguage }: Segment) => translationLanguage === undefined;
  const bare = chosen ? segments.map((segment) => (isOwn(segment) ? withoutTranslation(segment) : segment)) : segments;
  const { segments: translated, problem } = await translateEach(translator, bare, row.source_language, target);
  // A correction is kept even if its translation can't be made; asking for a translation is all or nothing.
  if (problem !== undefined && (chosen || again)) throw problem;
  const change = { segments: JSON.stringify(translated), target_language: target };
  if (bare.length > 0) return { ...change, translated_text: translatedTextOf(translated), ...warningOf(problem, row) };
  try {
    const translatedText = await translator.translateText(text, row.source_language, target);
    return { ...change, translated_text: translatedText, ...withoutWarning(row) };
  } catch (error) {
    if (chosen || again || !(error instanceof Problem)) throw error;
    return { ...change, translated_text: "", ...warningOf(error, row) };
  }
}

function warningOf(problem: Problem | undefined, row: TranscriptionRow): TranscriptionChange {
  return problem === undefined ? withoutWarning(row) : { error_code: "translationFailed", error_message: problem.message };
}

function withoutTranslation({ translation: _, ...segment }: Segment): Segment {
  return segment;
}

function withoutWarning(row: TranscriptionRow): TranscriptionChange {
  return row.error_code === "translationFailed" ? { error_code: null, error_message: null } : {};
}
