import { Hono } from "hono";
import { readQuery } from "#server/http/body.ts";
import { type Concurrency, exportConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { attachment } from "#server/http/file-name.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { Threads } from "#server/threads/threads.ts";
import { readableRow } from "#server/transcription/access-queries.ts";
import { fileTitleOf } from "#server/transcription/file-title.ts";
import { factsOf } from "#server/transcription/view.ts";
import { ExportQuery } from "./export.ts";
import { exportRow } from "./export-row.ts";

interface Parts extends AccessParts {
  concurrency: Concurrency;
  threads: Threads;
}

const exported = {
  tag: "transcriptions",
  scope: "transcriptions:read",
  id: "exportTranscription",
  query: ExportQuery,
  type: "*/*",
} as const;

/** A transcription as a file. */
export function exportRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const path = "/api/v1/audio-transcriptions/transcription/:id/export";
  app.get(path, access(exported), async (c) => {
    const { format, content, lng, name, ...look } = readQuery(c, ExportQuery);
    const { row } = await readableRow(deps, c, c.req.param("id"));
    const make = () => exportRow(deps, row, { format, content, language: lng, look }, c.var.user.id);
    const { bytes, type } = await deps.concurrency.run(exportConcurrency, c.var.user.id, c.req.raw.signal, make);
    return c.body(bytes, 200, {
      "Content-Type": type,
      "Content-Disposition": attachment(name ?? fileTitleOf(factsOf(row)), format),
    });
  });
  return app;
}
