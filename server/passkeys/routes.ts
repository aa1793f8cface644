import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import {
  maxPasskeys,
  NewPasskey,
  PasskeyChange,
  type PasskeyCreation,
  PasskeyProof,
  type PasskeysAnswer,
} from "#contract/index.ts";
import { changeOwnCredential } from "#server/account/credentials.ts";
import { sendEmail } from "#server/account/emails.ts";
import { confirmOwner, type OwnerParts } from "#server/account/owner.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Log } from "#server/log/log.ts";
import { requireUser } from "#server/session/require-user.ts";
import { newPasskeyLimit } from "#server/session/throttle.ts";
import type { Threads } from "#server/threads/threads.ts";
import { checkNewPasskey, offerPasskey, viewPasskey } from "./passkeys.ts";
import { deletePasskey, insertPasskey, listPasskeys, renamePasskey } from "./queries.ts";

interface Parts extends OwnerParts {
  log: Log;
  threads: Threads;
}

const path = "/users/me/passkeys";
const settings = { path: "/settings/security" };

/** The passkeys of one's own account: added after the password, renamed, removed (contract/passkeys.ts). */
export function passkeyRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, now, log } = deps;

  app.get(path, signedIn, async (c) => {
    const passkeys = (await listPasskeys(db, c.var.user.id)).map(viewPasskey);
    return c.json({ passkeys } satisfies PasskeysAnswer);
  });

  app.post(`${path}/challenge`, signedIn, async (c) => {
    const { password } = await readJson(c, PasskeyProof);
    const { user, sessionId } = c.var;
    await deps.throttle.count(newPasskeyLimit, user.id);
    await confirmOwner(deps, c.var, password);
    const known = await listPasskeys(db, user.id);
    refuseTooMany(known);
    return c.json((await offerPasskey(deps, user, { sessionId, known })) satisfies PasskeyCreation, 201);
  });

  app.post(path, signedIn, async (c) => {
    const { name, made } = await readJson(c, NewPasskey);
    const { user, sessionId } = c.var;
    const checked = await checkNewPasskey(deps, made, { userId: user.id, sessionId });
    const row = { ...checked, id: randomUUID(), user_id: user.id, name, created_at: now(), used_at: null };
    await changeOwnCredential(deps, c.var, async (t) => {
      refuseTooMany(await listPasskeys(t, user.id));
      if (!(await insertPasskey(t, row))) throw new Problem("conflict", "This passkey is already registered.");
    });
    log.info("passkey added", { account: user.id, session: sessionId, id: row.id });
    await sendEmail(deps, user.id, "passkeyAdded", settings);
    return c.json(viewPasskey(row), 201);
  });

  app.patch(`${path}/:id`, signedIn, async (c) => {
    const { name } = await readJson(c, PasskeyChange);
    if (!(await renamePasskey(db, c.var.user.id, c.req.param("id"), name))) throw new Problem("notFound");
    return c.body(null, 204);
  });

  app.delete(`${path}/:id`, signedIn, async (c) => {
    const { password } = await readJson(c, PasskeyProof);
    const { user, sessionId } = c.var;
    const id = c.req.param("id");
    await confirmOwner(deps, c.var, password);
    await changeOwnCredential(deps, c.var, async (t) => {
      if (!(await deletePasskey(t, user.id, id))) throw new Problem("notFound");
    });
    log.info("passkey removed", { account: user.id, session: sessionId, id });
    await sendEmail(deps, user.id, "passkeyRemoved", settings);
    return c.body(null, 204);
  });
  return app;
}

function refuseTooMany(known: readonly unknown[]): void {
  if (known.length >= maxPasskeys)
    throw new Problem("tooManyAtOnce", `You already have ${maxPasskeys} passkeys: remove one first.`);
}
