import { type Context, Hono } from "hono";
import {
  type CreatedVaultLink,
  maxSealedLink,
  maxVaultLinks,
  maxVaultLinksOfPerson,
  NewVaultLink,
  type VaultLinksAnswer,
} from "#contract/index.ts";
import { emptyLog } from "#server/db/checkpoint.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import type { Log } from "#server/log/log.ts";
import { requireLiving } from "#server/session/queries.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { newSharedLinkLimit, type Throttle } from "#server/session/throttle.ts";
import { linkEnd } from "#server/sharing/link-end.ts";
import { hasEnded } from "#server/sharing/queries.ts";
import { newLinkSecret } from "#server/sharing/secrets.ts";
import { deleteVaultLink, insertVaultLink, listVaultLinks, listVaultLinksOf } from "./link-queries.ts";
import { findVaultItem, type VaultItemRow } from "./queries.ts";
import { requireSubscription } from "./subscription.ts";
import { vaultLinkView } from "./view.ts";

interface Parts extends SignInParts {
  concurrency: Concurrency;
  log: Log;
  throttle: Throttle;
}

const path = "/api/v1/encrypted-audio/:id/links";
/** Size of the sealed part, and of the rest of a request around it (bytes). */
const maxBody = maxSealedLink + maxSealedLink / 16;

/** The owner's API of links to a recording in the vault: make, list, revoke (contract/vault.ts). */
export function vaultLinkRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now, log } = deps;
  const signedIn = requireUser(deps);
  const subscribed = requireSubscription(deps);

  app.get(path, signedIn, async (c) => {
    const { id } = await ownItem(c, db);
    const links = (await listVaultLinks(db, c.var.user.id, id)).map((row) => vaultLinkView(row, now()));
    return c.json({ links } satisfies VaultLinksAnswer);
  });

  app.post(path, signedIn, subscribed, takesBody(maxBody, deps), async (c) => {
    const { sealed, audio, text, locked, expiresAt } = await readJson(c, NewVaultLink);
    const { user, sessionId } = c.var;
    await deps.throttle.count(newSharedLinkLimit, user.id);
    const { id: itemId } = await ownItem(c, db);
    const { id, secret, hash } = newLinkSecret();
    const row = {
      id,
      user_id: user.id,
      item_id: itemId,
      hash,
      sealed,
      audio: Number(audio),
      has_text: Number(text),
      locked: Number(locked),
      views: 0,
      created_at: now(),
      expires_at: linkEnd(expiresAt, now()),
    };
    await db.transaction().execute(async (t) => {
      await requireLiving(t, user.id, sessionId);
      await ownItem(c, t);
      await requireRoom(t, { userId: user.id, itemId, now: now() });
      await insertVaultLink(t, row);
    });
    log.info("vault link created", { account: user.id, session: sessionId, id });
    return c.json({ ...vaultLinkView(row, now()), secret } satisfies CreatedVaultLink, 201);
  });

  app.delete(`${path}/:link`, signedIn, async (c) => {
    const owned = { id: c.req.param("link"), userId: c.var.user.id, itemId: c.req.param("id") };
    if (!(await deleteVaultLink(db, owned))) throw new Problem("notFound");
    // The sealed part contains the file's key, so it is also removed from the database's log.
    await emptyLog(db);
    log.info("vault link revoked", { account: owned.userId, session: c.var.sessionId, id: owned.id });
    return c.body(null, 204);
  });
  return app;
}

/** @throws Problem `tooManyAtOnce` */
async function requireRoom(t: Db, { userId, itemId, now }: { userId: string; itemId: string; now: number }): Promise<void> {
  const all = (await listVaultLinksOf(t, userId)).filter((link) => !hasEnded(link, now));
  if (all.length >= maxVaultLinksOfPerson || all.filter((link) => link.item_id === itemId).length >= maxVaultLinks)
    throw new Problem("tooManyAtOnce", "This recording already has as many links as allowed: revoke one first.");
}

/** The complete recording named in the path. @throws Problem `notFound` */
async function ownItem(c: Context<AppEnv>, db: Db): Promise<VaultItemRow> {
  const row = await findVaultItem(db, c.var.user.id, c.req.param("id") ?? "");
  if (row === undefined || row.arrived_at === null) throw new Problem("notFound", "The vault does not have this recording.");
  return row;
}
