import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";
import type { Filed, Transcription, TranscriptionSummary } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { sentenceOf } from "#server/errors/problem.ts";
import { finishedPieces } from "#server/jobs/piece-queries.ts";
import { trackFacts } from "#server/speech/tracks.ts";
import { accessOf, type Shared } from "./access-queries.ts";
import type { TranscriptionRow } from "./queries.ts";
import { joinedSegments } from "./segments-json.ts";
import { type FiledColumns, findFiled, findPictureState, hasInsights, type SummaryRow } from "./summary-queries.ts";

export function summaryOf(row: SummaryRow): TranscriptionSummary {
  return {
    id: row.id,
    title: row.title,
    text: row.text,
    translatedText: row.translated_text,
    sourceLanguage: row.source_language,
    targetLanguage: row.target_language,
    date: new Date(row.date).toISOString(),
    status: row.status,
    origin: row.origin,
    durationSeconds: row.duration_seconds,
    hasAudio: row.audio_type !== null,
    progress: row.stage === null ? null : { stage: row.stage, fraction: row.fraction ?? 0, secondsLeft: row.seconds_left },
    ...(row.shortened === 1 && { shortened: true }),
    ...(row.favourite !== undefined && { filed: filedOf(row) }),
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? sentenceOf(row.error_code) },
  };
}

function filedOf({ folder_id, favourite, tag_ids }: Partial<FiledColumns>): Filed {
  return { folderId: folder_id ?? null, tagIds: tag_ids?.split(",") ?? [], favourite: favourite === 1 };
}

/** A transcription's row, with where it is filed. */
async function withFiled(db: Db, row: TranscriptionRow): Promise<TranscriptionRow & Partial<FiledColumns>> {
  return { ...row, ...(await findFiled(db, row.id)) };
}

export function isUnfinished(row: Pick<SummaryRow, "status">): boolean {
  return row.status === "processing" || row.status === "pending";
}

/** A transcription's segments as JSON; for a running job, the ones available so far. */
export async function segmentsOf(db: Db, row: TranscriptionRow): Promise<string> {
  const isBeingMade = row.segments === "[]" && row.status !== "completed";
  return isBeingMade ? joinedSegments(await finishedPieces(db, row.id)) : row.segments;
}

/** A transcription without its segments. */
export function factsOf(row: TranscriptionRow): Omit<Transcription, "segments"> {
  const diarizes = row.speakers === 1 && { diarizes: true };
  return { ...summaryOf(row), fileName: row.file_name, engine: row.engine, ...diarizes, ...trackFacts(row) };
}

/**
 * The response `Transcription`. The stored JSON of the segments is inserted unparsed, because parsing the longest takes
 * seconds.
 * @param shared set for another user's transcription, whose filing is not shown; undefined: the user's own
 */
export async function sendTranscription(
  c: Context,
  db: Db,
  row: TranscriptionRow,
  status: 200 | 202 = 200,
  shared?: Shared,
): Promise<Response> {
  const facts = await factsFor(db, row, shared);
  const segments = await segmentsOf(db, row);
  // The longest take long to read or write, so other requests go first.
  await setImmediate();
  const json = withSegments(facts, segments);
  return c.body(json, status, { "Content-Type": "application/json" });
}

/** A transcription without its segments, as visible to the caller. */
async function factsFor(db: Db, row: TranscriptionRow, shared: Shared | undefined) {
  if (shared !== undefined) return { ...factsOf(row), ...accessOf(shared) };
  return {
    ...factsOf(await withFiled(db, row)),
    ...((await hasPicture(db, row)) && { hasPicture: true }),
    ...((await hasInsights(db, row.id)) && { hasInsights: true }),
  };
}

/**
 * Whether its recording is a video, or was uploaded as one to an earlier release that did not check. Its owner sees the
 * picture.
 */
async function hasPicture(db: Db, { id, audio_type, status }: TranscriptionRow): Promise<boolean> {
  if (audio_type === null) return false;
  const state = await findPictureState(db, id);
  return state === undefined ? audio_type.startsWith("video/") && status !== "processing" : state !== "none";
}

/** The same facts as a row of a list. */
export async function summaryFor(db: Db, row: TranscriptionRow, shared: Shared | undefined): Promise<TranscriptionSummary> {
  return shared === undefined ? summaryOf(await withFiled(db, row)) : { ...summaryOf(row), ...accessOf(shared) };
}

/** Serializes an object with the segments, which are JSON already, as its last member. */
export function withSegments(object: object, segments: string): string {
  return `${JSON.stringify(object).slice(0, -1)},"segments":${segments}}`;
}
