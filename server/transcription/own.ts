import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { findTranscription, type TranscriptionRow } from "./queries.ts";
import { findSummary, type SummaryRow } from "./summary-queries.ts";

/** The row of the path's id. @throws Problem `notFound`, for other people's too */
export async function ownRow(deps: { db: Db }, userId: string, id: string): Promise<TranscriptionRow> {
  const row = await findTranscription(deps.db, userId, id);
  if (row === undefined) throw new Problem("notFound", "There is no such transcription.");
  return row;
}

/** The same without long columns. @throws Problem `notFound` */
export async function ownSummary(deps: { db: Db }, userId: string, id: string): Promise<SummaryRow> {
  const row = await findSummary(deps.db, userId, id);
  if (row === undefined) throw new Problem("notFound", "There is no such transcription.");
  return row;
}
