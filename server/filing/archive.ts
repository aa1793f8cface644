import type { Readable } from "node:stream";
import { Hono } from "hono";
import type * as v from "valibot";
import { ArchiveRequest } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { exportRow } from "#server/exports/export-row.ts";
import { readJson } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { addLazily, nameInZip, openZip, zipAnswer } from "#server/http/zip-stream.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { Threads } from "#server/threads/threads.ts";
import { fileTitleOf } from "#server/transcription/file-title.ts";
import { findTranscription } from "#server/transcription/queries.ts";
import { findSummary } from "#server/transcription/summary-queries.ts";
import { summaryOf } from "#server/transcription/view.ts";
import { filingOperations } from "./operations.ts";
import { listOwn } from "./queries.ts";

interface Parts extends AccessParts {
  concurrency: Concurrency;
  threads: Threads;
}

/** Several transcriptions as one streamed ZIP file: memory usage is that of the largest of them. */
export function archiveRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  app.post("/api/v1/audio-transcriptions/archive", access(filingOperations.archive), async (c) => {
    const wanted = await readJson(c, ArchiveRequest);
    const { user } = c.var;
    const ids = await listOwn(deps.db, user.id, wanted.ids);
    if (ids.length === 0) throw new Problem("notFound", "None of these transcriptions exists.");
    return zipAnswer(c, deps, { name: "transcripts", make: () => archive(deps, user.id, ids, wanted) });
  });
  return app;
}

type Wanted = v.InferOutput<typeof ArchiveRequest>;

/** @param ids the person's */
async function archive(
  parts: { db: Db; threads: Threads },
  userId: string,
  ids: readonly string[],
  { formats, content, lng, ids: _, ...look }: Wanted,
): Promise<Readable> {
  const { zip, stream } = openZip();
  const taken = new Set<string>();
  for (const id of ids) {
    const summary = await findSummary(parts.db, userId, id);
    if (summary === undefined) continue;
    const name = freeName(nameInZip(fileTitleOf(summaryOf(summary))), taken);
    for (const format of new Set(formats)) {
      addLazily(zip, `${name}.${format}`, async () => {
        const row = await findTranscription(parts.db, userId, id);
        // Deleted while those before it were written: its name is in the archive already.
        if (row === undefined) return Buffer.alloc(0);
        const { bytes } = await exportRow(parts, row, { format, content, language: lng, look }, userId);
        return Buffer.from(bytes);
      });
    }
  }
  zip.end();
  return stream;
}

/** "talk", "talk (2)", …: where case does not count, as on many disks. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${name} (${count})`;
  taken.add(free.toLowerCase());
  return free;
}
