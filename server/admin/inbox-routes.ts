import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { csvText } from "#contract/csv.ts";
import {
  type InboxAnswer,
  InboxChange,
  type InboxMessage,
  InboxQuery,
  type WaitlistAnswer,
  WaitlistQuery,
  type WaitlistRow,
} from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { check, readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import {
  countInbox,
  countWaitlist,
  handleMessage,
  type InboxRow,
  listInbox,
  listWaitlist,
  removeMessage,
} from "#server/inbox/queries.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import { pageOf } from "./paging.ts";

/** Messages and the waiting list, for superusers. */
export function adminInboxRoutes(deps: AdminParts): Hono<AppEnv> {
  const { db, now } = deps;
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);

  app.get("/admin/inbox", superuser, async (c) => {
    const { kind, state, ...paging } = check(InboxQuery, c.req.query());
    const filter = {
      kind: kind === "all" ? undefined : kind,
      handled: state === "all" ? undefined : state === "done",
    };
    const { pagination, offset } = pageOf(paging, await countInbox(db, filter));
    const rows = await listInbox(db, filter, { limit: paging.limit, offset });
    return c.json({ messages: rows.map(messageOf), pagination } satisfies InferOutput<typeof InboxAnswer>);
  });

  app.patch("/admin/inbox/:id", superuser, async (c) => {
    const { handled } = await readJson(c, InboxChange);
    const row = await handleMessage(db, c.req.param("id"), handled ? now() : null);
    if (row === undefined) throw new Problem("notFound");
    return c.json(messageOf(row));
  });

  app.delete("/admin/inbox/:id", superuser, async (c) => {
    if (!(await removeMessage(db, c.req.param("id")))) throw new Problem("notFound");
    return c.body(null, 204);
  });

  app.get("/admin/waitlist", superuser, async (c) => {
    const paging = check(WaitlistQuery, c.req.query());
    const { pagination, offset } = pageOf(paging, await countWaitlist(db));
    const rows = await listWaitlist(db, { limit: paging.limit, offset });
    return c.json({ entries: rows.map(entryOf), pagination } satisfies InferOutput<typeof WaitlistAnswer>);
  });

  app.get("/admin/waitlist.csv", superuser, async (c) => {
    const entries = (await listWaitlist(db)).map(entryOf);
    const lines = entries.map(({ email, language, joinedAt }) => [email, language, joinedAt]);
    return c.body(csvText([["email", "language", "joinedAt"], ...lines]), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="waitlist.csv"',
    });
  });
  return app;
}

function messageOf({ id, kind, user_id, name, email, rating, text, language, created_at, handled_at }: InboxRow): InboxMessage {
  return {
    id,
    kind,
    userId: user_id,
    name,
    email,
    rating,
    text,
    language,
    createdAt: new Date(created_at).toISOString(),
    handledAt: handled_at === null ? null : new Date(handled_at).toISOString(),
  };
}

function entryOf({ email, language, created_at }: { email: string; language: string; created_at: number }): WaitlistRow {
  return { email, language, joinedAt: new Date(created_at).toISOString() };
}
