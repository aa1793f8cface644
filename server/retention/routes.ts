import { Hono } from "hono";
import { type RetentionAnswer, type RetentionDates, type RetentionPreview, RetentionRule } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { requireOwnFiling } from "#server/filing/place.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { lastDayMs } from "#server/transcriptions/trash-queries.ts";
import { findDates, forecast, type Kind, listRules, replaceRule } from "./queries.ts";

const iso = (at: number): string => new Date(at).toISOString();
const base = "/api/v1/audio-transcriptions";

/** The API of the retention rules (contract/retention.ts). */
export function retentionRoutes(deps: SignInParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now } = deps;
  const signedIn = requireUser(deps);

  app.get(`${base}/retention`, signedIn, async (c) =>
    c.json({ rules: await listRules(db, c.var.user.id) } satisfies RetentionAnswer),
  );

  app.put(`${base}/retention`, signedIn, async (c) => {
    const rule = await readJson(c, RetentionRule);
    await db.transaction().execute(async (t) => {
      await requireOwnFolder(t, c.var.user.id, rule);
      await replaceRule(t, c.var.user.id, rule);
    });
    return c.json(rule);
  });

  app.post(`${base}/retention/preview`, signedIn, async (c) => {
    const rule = await readJson(c, RetentionRule);
    await requireOwnFolder(db, c.var.user.id, rule);
    const look = async (kind: Kind, days: number | null) => {
      if (days === null) return { soon: 0, next: null };
      const until = now() + lastDayMs;
      const { soon, next } = await forecast(db, c.var.user.id, { folderId: rule.folderId, kind, days, until });
      return { soon, next: next === null ? null : iso(next) };
    };
    const preview = { audio: await look("audio", rule.audioDays), text: await look("text", rule.textDays) };
    return c.json(preview satisfies RetentionPreview);
  });

  app.get(`${base}/transcription/:id/retention`, signedIn, async (c) => {
    const dates = await findDates(db, c.var.user.id, c.req.param("id"));
    if (dates === undefined) throw new Problem("notFound");
    // An overdue item (its rule is new) is deleted within a day.
    const shown = (at: number | null) => (at === null ? null : iso(Math.max(at, now())));
    return c.json({ audioAt: shown(dates.audio), textAt: shown(dates.text) } satisfies RetentionDates);
  });
  return app;
}

/** @throws Problem `notFound` */
async function requireOwnFolder(t: Db, userId: string, { folderId }: RetentionRule): Promise<void> {
  await requireOwnFiling(t, userId, { ids: [], folderId });
}
