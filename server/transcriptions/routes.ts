import { Hono } from "hono";
import { HistoryQuery, type Pagination, type TranscriptionSummary } from "#contract/index.ts";
import { readQuery } from "#server/http/body.ts";
import { type Concurrency, searchConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { jsonBody } from "#server/http/json-stream.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { SummaryRow } from "#server/transcription/summary-queries.ts";
import { summaryOf } from "#server/transcription/view.ts";
import { transcriptionsOperations } from "./operations.ts";
import { listHistory } from "./queries.ts";

/** A `HistoryAnswer`, one piece for each portion. */
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

interface Parts extends AccessParts {
  concurrency: Concurrency;
}

/** A user's history (SPEC.md section 7, "Transcriptions"). */
export function historyRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);

  app.get("/api/v1/audio-transcriptions/transcription-history", access(transcriptionsOperations.history), async (c) => {
    const { page, limit, search, sort, after } = readQuery(c, HistoryQuery);
    const list = () => listHistory(deps.db, c.var.user.id, { page, limit, search, sort, after });
    // A search reads all of the user's texts, so its concurrency is limited.
    const { portions, total, next } =
      search === "" ? await list() : await deps.concurrency.run(searchConcurrency, c.var.user.id, c.req.raw.signal, list);
    const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
    return c.body(await jsonBody(historyJson(portions, pagination, next)), 200, { "Content-Type": "application/json" });
  });
  return app;
}
