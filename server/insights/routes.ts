import { type Context, Hono } from "hono";
import {
  type InsightDeletion,
  type InsightEvent,
  InsightRequest,
  type InsightsAnswer,
  TaskChange,
  withTaskChange,
} from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import { type Concurrency, insightConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { workStream } from "#server/http/work-stream.ts";
import type { Log } from "#server/log/log.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { Throttle } from "#server/session/throttle.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import type { Threads } from "#server/threads/threads.ts";
import { ownRow } from "#server/transcription/access-queries.ts";
import { createInsight } from "./create.ts";
import { type LanguageModel, modelOf } from "./language-model.ts";
import { changePoints, deleteInsight, findInsight, findText, hashOf, insightOf, listInsights, pointsOf } from "./queries.ts";

interface Parts extends SignInParts {
  log: Log;
  /** Undefined: none is set up. */
  languageModel: LanguageModel | undefined;
  concurrency: Concurrency;
  threads: Threads;
  throttle: Throttle;
  quota: Pick<StorageQuota, "refuseWhenFull">;
}

const path = "/api/v1/audio-transcriptions/transcription/:id/insights";

/** Summary, tasks, chapters and answers that a language model makes of a transcript (contract/insights.ts). */
export function insightRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, languageModel } = deps;
  const own = async (c: Context<AppEnv>) => {
    const id = c.req.param("id") ?? "";
    const text = await findText(db, c.var.user.id, id);
    if (text === undefined) throw new Problem("notFound", "This transcription does not exist.");
    return { id, hash: hashOf(text) };
  };

  app.get(path, signedIn, async (c) => {
    const { id, hash } = await own(c);
    const insights = (await listInsights(db, id)).map((row) => insightOf(row, hash));
    return c.json({ model: languageModel === undefined ? null : modelOf(languageModel), insights } satisfies InsightsAnswer);
  });

  app.post(path, signedIn, async (c) => {
    const request = await readJson(c, InsightRequest);
    const row = await ownRow(deps, c.var.user.id, c.req.param("id"));
    if (languageModel === undefined) throw new Problem("chatUnavailable");
    if (row.status !== "completed") throw new Problem("conflict", "The transcription is not finished.");
    await deps.quota.refuseWhenFull(c.var.user.id);
    await deps.throttle.count(languageModel.limit, c.var.user.id);
    return workStream<InsightEvent>(c, { ...deps, name: "making an insight" }, async (send, signal) => {
      const create = () => createInsight({ ...deps, languageModel }, row, request, { signal, send });
      send({ insight: await deps.concurrency.run(insightConcurrency, c.var.user.id, signal, create) });
    });
  });

  app.patch(`${path}/:insight`, signedIn, async (c) => {
    const change = await readJson(c, TaskChange);
    const { id, hash } = await own(c);
    const changed = await db.transaction().execute(async (t) => {
      const row = await findInsight(t, id, c.req.param("insight"));
      if (row === undefined) throw noInsight();
      const points = pointsOf(row);
      const point = points[change.index];
      if (point?.task === undefined) throw new Problem("badRequest", "This task does not exist.");
      const after = points.with(change.index, withTaskChange(point, point.task, change));
      await changePoints(t, row.id, after);
      return { ...row, points: JSON.stringify(after) };
    });
    return c.json(insightOf(changed, hash));
  });

  app.delete(`${path}/:insight`, signedIn, async (c) => {
    const { id } = await own(c);
    const row = await findInsight(db, id, c.req.param("insight"));
    if (row === undefined) throw noInsight();
    await deleteInsight(db, row.id);
    return c.json({ id: row.id } satisfies InsightDeletion);
  });
  return app;
}

const noInsight = () => new Problem("notFound", "This result does not exist.");
