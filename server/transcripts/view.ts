import type { Segment, Transcription, TranscriptionSummary } from "../../src/api/contract/index.ts";
import { finishedSegments, parseSegments } from "../db/jobs.ts";
import type { Db } from "../db/open.ts";
import type { SummaryRow, TranscriptionRow } from "../db/transcriptions.ts";
import { sentenceOf } from "../problem.ts";

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
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? sentenceOf(row.error_code) },
  };
}

export function isUnfinished(row: Pick<SummaryRow, "status">): boolean {
  return row.status === "processing" || row.status === "pending";
}

/** The segments of a transcription; of one that is still being made, those that are there. */
export async function segmentsOf(db: Db, row: TranscriptionRow): Promise<Segment[]> {
  const kept = parseSegments(row.segments);
  return kept.length === 0 && row.status !== "completed" ? (await finishedSegments(db, row.id)).segments : kept;
}

export async function transcriptionOf(db: Db, row: TranscriptionRow): Promise<Transcription> {
  return { ...summaryOf(row), segments: await segmentsOf(db, row), fileName: row.file_name, engine: row.engine };
}
