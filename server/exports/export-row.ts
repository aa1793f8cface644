import type { Db } from "#server/db/open.ts";
import { listNotes } from "#server/notes/queries.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { factsOf, segmentsOf } from "#server/transcription/view.ts";
import type { ExportOptions } from "./export.ts";
import { exportTasks } from "./thread-tasks.ts";

/** The formats that have notes. */
const noted: ReadonlySet<string> = new Set(["md", "html", "docx", "pdf"]);
/** Formats whose library alone takes long to load. */
const libraries: ReadonlySet<string> = new Set(["docx", "pdf"]);
/** A file that takes longer is not made (milliseconds). */
const timeoutMs = 10_000;

/**
 * Exports a transcription as a file, with its current content; slow work runs in a thread.
 * @param person the account, whose notes are included, or a visitor's network
 * @returns the bytes and their content type
 * @throws the database's errors
 */
export async function exportRow(
  { db, threads }: { db: Db; threads: Threads },
  row: TranscriptionRow,
  options: ExportOptions,
  person: string,
) {
  const segments = await segmentsOf(db, row);
  // Links don't offer these formats (contract/sharing.ts).
  const notes = noted.has(options.format) ? await listNotes(db, person, row.id) : [];
  const size = libraries.has(options.format)
    ? Number.POSITIVE_INFINITY
    : segments.length + row.text.length + row.translated_text.length;
  const input = { transcription: factsOf(row), segments, options, notes };
  return threads.run(exportTasks.exported, input, { person, size, timeoutMs });
}
