import { Hono } from "hono";
import { Batch, type BatchAnswer, EmptyTrashQuery, type TrashAnswer, TrashQuery, trashMs } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { check, readJson, readQuery } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { describes } from "#server/http/operations.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { type AccessParts, requireAccess } from "#server/session/require-access.ts";
import { requireUser } from "#server/session/require-user.ts";
import { summaryOf } from "#server/transcription/view.ts";
import { transcriptionsOperations as operations } from "./operations.ts";
import { eraseAll, eraseOne, listTrash, type Outcome, restoreOne, trashOne } from "./trash-queries.ts";

interface Parts extends AccessParts {
  worker: Worker;
}

const base = "/api/v1/audio-transcriptions/trash";
/** So many are changed in one transaction: it lasts a few milliseconds, and others get their turn between two. */
const atOnce = 25;

const iso = (at: number): string => new Date(at).toISOString();

type Change = (t: Db, userId: string, id: string, now: number) => Promise<Outcome>;

/** Changes each of them, in portions: one that fails is no reason for the others to. */
async function changeEach({ db, now }: Parts, userId: string, ids: readonly string[], one: Change): Promise<BatchAnswer> {
  const answer: BatchAnswer = { done: [], failed: [] };
  const left = [...new Set(ids)];
  while (left.length > 0) {
    const portion = left.splice(0, atOnce);
    const outcomes = await db.transaction().execute(async (t) => {
      const all: [id: string, outcome: Outcome][] = [];
      for (const id of portion) all.push([id, await one(t, userId, id, now())]);
      return all;
    });
    for (const [id, code] of outcomes) {
      if (code === "done") answer.done.push(id);
      else answer.failed.push({ id, code });
    }
  }
  return answer;
}

/** The trash: what is in it, into it, out of it, and emptied. What is erased is gone from the disk with the next sweep. */
export function trashRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const reads = requireAccess(deps, "transcriptions:read");
  const writes = requireAccess(deps, "transcriptions:write");
  // What is gone for ever is gone by somebody who has signed in.
  const signedIn = requireUser(deps);

  app.get(base, describes(operations.listTrash), reads, async (c) => {
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

  app.post(base, describes(operations.trash), writes, async (c) => {
    const { ids } = await readJson(c, Batch);
    const answer = await changeEach(deps, c.var.user.id, ids, trashOne);
    deps.worker.check();
    return c.json({ ...answer, purgeAt: iso(deps.now() + trashMs) } satisfies BatchAnswer);
  });

  app.post(`${base}/restore`, describes(operations.restore), writes, async (c) => {
    const { ids } = await readJson(c, Batch);
    const answer = await changeEach(deps, c.var.user.id, ids, restoreOne);
    deps.worker.wake();
    return c.json(answer);
  });

  app.post(`${base}/erase`, signedIn, async (c) => {
    const { ids } = await readJson(c, Batch);
    return c.json(await changeEach(deps, c.var.user.id, ids, eraseOne));
  });

  app.delete(base, signedIn, async (c) => {
    const { until } = check(EmptyTrashQuery, c.req.query());
    const now = deps.now();
    return c.json({ erased: await eraseAll(deps.db, c.var.user.id, { until: Math.min(now, Date.parse(until)), now }) });
  });
  return app;
}
