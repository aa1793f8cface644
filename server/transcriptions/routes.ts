import { Hono } from "hono";
import { HistoryQuery, type Pagination, type TranscriptionSummary } from "#contract/index.ts";
import { readQuery } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { jsonBody } from "#server/http/json-stream.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { SummaryRow } from "#server/transcription/summary-queries.ts";
import { summaryOf } from "#server/transcription/view.ts";
import { transcriptionsOperations } from "./operations.ts";
import { listHistory } from "./queries.ts";

/** A `HistoryAnswer`, in a piece for each portion. */
async function* historyJson(
  portions: AsyncIterable<readonly SummaryRow[]>,
  pagination: Pagination,
  next: string | null,
): AsyncGenerator<string> {
  let before = '{"data":[';
  for await (const rows of portions) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(summaryOf(row) satisfies TranscriptionSummary)).join(",");
    before = ",";
  }
  yield `${before === "," ? "" : before}],"pagination":${JSON.stringify(pagination)},"next":${JSON.stringify(next)}}`;
}

/** A person's history (SPEC.md section 7, "Transcriptions"). */
export function historyRoutes(deps: AccessParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);

  app.get("/api/v1/audio-transcriptions/transcription-history", access(transcriptionsOperations.history), async (c) => {
    const { page, limit, search, sort, after } = readQuery(c, HistoryQuery);
    const { portions, total, next } = await listHistory(deps.db, c.var.user.id, { page, limit, search, sort, after });
    const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
    return c.body(await jsonBody(historyJson(portions, pagination, next)), 200, { "Content-Type": "application/json" });
  });
  return app;
}
