import { Hono } from "hono";
import { NoticeSettings, type NoticesAnswer } from "#contract/index.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { requireLiving } from "#server/session/queries.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { findNoticeSettings, saveNoticeSettings } from "./queries.ts";

interface Parts extends SignInParts {
  outbox: Pick<Outbox, "state">;
}

/** A person's choice of notification e-mails (contract/settings.ts). */
export function noticeRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, outbox } = deps;
  app.get("/users/me/notices", signedIn, async (c) =>
    c.json({ ...(await findNoticeSettings(db, c.var.user.id)), mails: await outbox.state() } satisfies NoticesAnswer),
  );
  app.put("/users/me/notices", signedIn, async (c) => {
    const wanted = await readJson(c, NoticeSettings);
    await db.transaction().execute(async (t) => {
      await requireLiving(t, c.var.user.id, c.var.sessionId);
      await saveNoticeSettings(t, c.var.user.id, wanted);
    });
    return c.json({ ...wanted, mails: await outbox.state() } satisfies NoticesAnswer);
  });
  return app;
}
