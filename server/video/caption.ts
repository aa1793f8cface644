import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#server/db/open.ts";
import { exportTasks } from "#server/exports/thread-tasks.ts";
import type { Threads } from "#server/threads/threads.ts";
import { findTranscription } from "#server/transcription/queries.ts";
import { factsOf } from "#server/transcription/view.ts";
import { type Conversion, captionsName, VideoError } from "./convert.ts";
import type { VideoRow } from "./queries.ts";

/**
 * Writes the captions that a row asks for into a folder, as they are now.
 * @param aspect of the picture, width by height
 * @returns the file's name, which is always the same; undefined where it asks for none
 */
export async function writeCaptions(
  { db, threads }: { db: Db; threads: Threads },
  { transcription_id, user_id, content, language }: VideoRow,
  { folder, aspect }: { folder: string; aspect: number },
): Promise<Conversion["captions"]> {
  if (content === null) return undefined;
  const row = await findTranscription(db, user_id, transcription_id);
  if (row === undefined) throw new VideoError("unreadable", "The transcription is gone.");
  const { segments } = row;
  const input = { transcription: factsOf(row), segments, content, language: language ?? "en", aspect };
  const script = await threads.run(exportTasks.captions, input, segments.length);
  await writeFile(join(folder, captionsName), script, { mode: 0o600, flag: "wx" });
  return captionsName;
}
