import type { Readable } from "node:stream";
import type { Db } from "#server/db/open.ts";
import { exportRow } from "#server/exports/export-row.ts";
import { addLazily, nameInZip, openZip } from "#server/http/zip-stream.ts";
import type { Threads } from "#server/threads/threads.ts";
import { ownRow } from "#server/transcription/access-queries.ts";

interface Wanted {
  userId: string;
  id: string;
  /** The file names without language and extension. */
  title: string;
  /** The language of labels such as "Speaker 1". */
  language: string;
}

/**
 * Subtitles in the spoken language and, if there is a translation, in its language. The ZIP file is made while it is
 * read.
 * @throws Problem `notFound`
 */
export async function subtitlePair(
  parts: { db: Db; threads: Threads },
  { userId, id, title, language }: Wanted,
): Promise<Readable> {
  const { source_language: spoken, target_language: target } = await ownRow(parts, userId, id);
  const { zip, stream } = openZip();
  const add = (content: "original" | "translation", suffix: string) =>
    addLazily(zip, `${nameInZip(title)}.${suffix}.vtt`, async () => {
      // Read when it is needed, to keep it out of memory until then.
      const row = await ownRow(parts, userId, id);
      return Buffer.from((await exportRow(parts, row, { format: "vtt", content, language }, userId)).bytes);
    });
  const name = spoken === "auto" ? "original" : spoken;
  add("original", name);
  if (target !== null) add("translation", target === name ? "translation" : target);
  zip.end();
  return stream;
}
