import type { Db } from "#server/db/open.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { ExportOptions } from "./export.ts";
import type { TranscriptionRow } from "./queries.ts";
import { factsOf, segmentsOf } from "./view.ts";
import { transcriptWork } from "./work.ts";

/**
 * A transcription as a file, with what there is of it so far; whatever takes long is made in a thread.
 * @returns the bytes and their content type
 * @throws the database's errors
 */
export async function exportRow({ db, threads }: { db: Db; threads: Threads }, row: TranscriptionRow, options: ExportOptions) {
  const segments = await segmentsOf(db, row);
  // Its library alone takes long to load.
  const size =
    options.format === "docx" ? Number.POSITIVE_INFINITY : segments.length + row.text.length + row.translated_text.length;
  return threads.run(transcriptWork.exported, { transcription: factsOf(row), segments, options }, size);
}
