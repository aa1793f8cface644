import { Hono } from "hono";
import { Batch, type BatchAnswer, EmptyTrashQuery, type TrashAnswer, TrashQuery, trashMs } from "#contract/index.ts";
import { check, readJson, readQuery } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import { requireUser } from "#server/session/require-user.ts";
import { changeEach } from "#server/transcription/each.ts";
import { summaryOf } from "#server/transcription/view.ts";
import { transcriptionsOperations as operations } from "./operations.ts";
import { eraseAll, eraseOne, listTrash, restoreOne, trashOne } from "./trash-queries.ts";

interface Parts extends AccessParts {
  worker: Worker;
}

const base = "/api/v1/audio-transcriptions/trash";
const iso = (at: number): string => new Date(at).toISOString();

/**
 * The trash: list it, move items into it and out of it, and empty it. The next sweep removes erased items from the
 * disk.
 */
export function trashRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  // Only a signed-in user can delete for good, not a token.
  const signedIn = requireUser(deps);

  app.get(base, access(operations.listTrash), async (c) => {
    const { limit, after } = readQuery(c, TrashQuery);
    const now = deps.now();
    const { rows, total } = await listTrash(deps.db, c.var.user.id, { limit, after, now });
    const last = rows.length < limit ? undefined : rows.at(-1);
    return c.json({
      data: rows.map((row) => ({ ...summaryOf(row), deletedAt: iso(row.deleted_at), purgeAt: iso(row.deleted_at + trashMs) })),
      total,
      next: last === undefined ? null : `${last.deleted_at}_${last.id}`,
      until: iso(now),
    } satisfies TrashAnswer);
  });

  app.post(base, access(operations.trash), async (c) => {
    const { ids } = await readJson(c, Batch);
    const answer = await changeEach(deps.db, ids, (t, id) => trashOne(t, c.var.user.id, id, deps.now()));
    deps.worker.check();
    return c.json({ ...answer, purgeAt: iso(deps.now() + trashMs) } satisfies BatchAnswer);
  });

  app.post(`${base}/restore`, access(operations.restore), async (c) => {
    const { ids } = await readJson(c, Batch);
    const answer = await changeEach(deps.db, ids, (t, id) => restoreOne(t, c.var.user.id, id, deps.now()));
    deps.worker.wake();
    return c.json(answer);
  });

  app.post(`${base}/erase`, signedIn, async (c) => {
    const { ids } = await readJson(c, Batch);
    return c.json(await changeEach(deps.db, ids, (t, id) => eraseOne(t, c.var.user.id, id, deps.now())));
  });

  app.delete(base, signedIn, async (c) => {
    const { until } = check(EmptyTrashQuery, c.req.query());
    const now = deps.now();
    return c.json({ erased: await eraseAll(deps.db, c.var.user.id, { until: Math.min(now, Date.parse(until)), now }) });
  });
  return app;
}
