import type { Context } from "hono";
import type { Transcription, TranscriptionSummary } from "#contract/index.ts";
import { sentenceOf } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import { finishedPieces } from "#server/jobs/piece-queries.ts";
import type { TranscriptionRow } from "./queries.ts";
import { joinedSegments } from "./segments-json.ts";
import type { SummaryRow } from "./summary-queries.ts";

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
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? sentenceOf(row.error_code) },
  };
}

export function isUnfinished(row: Pick<SummaryRow, "status">): boolean {
  return row.status === "processing" || row.status === "pending";
}

/** The segments of a transcription, as JSON; of one that is still being made, those that are there. */
export async function segmentsOf(db: Db, row: TranscriptionRow): Promise<string> {
  const isBeingMade = row.segments === "[]" && row.status !== "completed";
  return isBeingMade ? joinedSegments(await finishedPieces(db, row.id)) : row.segments;
}

/** All of a transcription but its segments. */
export function factsOf(row: TranscriptionRow): Omit<Transcription, "segments"> {
  return { ...summaryOf(row), fileName: row.file_name, engine: row.engine };
}

/** The answer `Transcription`. Its segments are put in as they are kept: parsing the longest and writing them again takes seconds. */
export async function sendTranscription(c: Context, db: Db, row: TranscriptionRow, status: 200 | 202 = 200): Promise<Response> {
  const json = withSegments(factsOf(row), await segmentsOf(db, row));
  return c.body(json, status, { "Content-Type": "application/json" });
}

/** An object as JSON, with the segments, which are JSON already, as its last member. */
export function withSegments(object: object, segments: string): string {
  return `${JSON.stringify(object).slice(0, -1)},"segments":${segments}}`;
}
