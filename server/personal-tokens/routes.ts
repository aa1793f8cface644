import { Hono } from "hono";
import { type CreatedPersonalToken, maxPersonalTokens, NewPersonalToken, type PersonalTokensAnswer } from "#contract/index.ts";
import { sendEmail } from "#server/account/emails.ts";
import { confirmOwner, type OwnerParts } from "#server/account/owner.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Log } from "#server/log/log.ts";
import { requireLiving } from "#server/session/queries.ts";
import { requireUser } from "#server/session/require-user.ts";
import { newPersonalTokenLimit } from "#server/session/throttle.ts";
import { newPersonalToken, viewPersonalToken } from "./personal-tokens.ts";
import { deletePersonalToken, insertPersonalToken, listPersonalTokens } from "./queries.ts";

interface Parts extends OwnerParts {
  log: Log;
}

const path = "/users/me/tokens";
const dayMs = 24 * 60 * 60 * 1000;

/** A person's personal access tokens: made with the password, listed without their secrets, revoked. */
export function personalTokenRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, now, log } = deps;

  app.get(path, signedIn, async (c) => {
    const tokens = (await listPersonalTokens(db, c.var.user.id)).map(viewPersonalToken);
    return c.json({ tokens } satisfies PersonalTokensAnswer);
  });

  app.post(path, signedIn, async (c) => {
    const { name, scopes, days, password } = await readJson(c, NewPersonalToken);
    const { user, sessionId } = c.var;
    await deps.throttle.count(newPersonalTokenLimit, user.id);
    // A token outlives the session, so it must not be created at an unattended page.
    await confirmOwner(deps, c.var, password);
    const { token, id, hash } = newPersonalToken();
    const at = now();
    const row = {
      id,
      user_id: user.id,
      hash,
      name,
      scopes: JSON.stringify([...new Set(scopes)]),
      created_at: at,
      expires_at: at + days * dayMs,
      used_at: null,
    };
    await db.transaction().execute(async (t) => {
      await requireLiving(t, user.id, sessionId);
      const living = (await listPersonalTokens(t, user.id)).filter(({ expires_at }) => expires_at > at);
      if (living.length >= maxPersonalTokens)
        throw new Problem("tooManyAtOnce", `You already have ${maxPersonalTokens} tokens: revoke one first.`);
      await insertPersonalToken(t, row);
    });
    log.info("personal access token created", { account: user.id, session: sessionId, id });
    await sendEmail(deps, user.id, "tokenMade", { path: "/settings/developer" });
    return c.json({ token, ...viewPersonalToken(row) } satisfies CreatedPersonalToken, 201);
  });

  app.delete(`${path}/:id`, signedIn, async (c) => {
    const id = c.req.param("id");
    if (!(await deletePersonalToken(db, c.var.user.id, id))) throw new Problem("notFound");
    await deps.connections.recheck();
    log.info("personal access token revoked", { account: c.var.user.id, session: c.var.sessionId, id });
    return c.body(null, 204);
  });
  return app;
}
