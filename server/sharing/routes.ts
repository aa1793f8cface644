import { type Context, Hono } from "hono";
import {
  type CreatedSharedLink,
  maxSharedLinks,
  NewSharedLink,
  type SharedLink,
  SharedLinkChange,
  type SharedLinkSecret,
  type SharedLinksAnswer,
} from "#contract/index.ts";
import { isCommonPassword } from "#server/account/common-passwords.ts";
import type { Passwords } from "#server/account/passwords.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Log } from "#server/log/log.ts";
import { requireLiving } from "#server/session/queries.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { Sealer } from "#server/session/sealing.ts";
import { isSecretOf } from "#server/session/secrets.ts";
import { newSharedLinkLimit, type Throttle } from "#server/session/throttle.ts";
import { ownSummary } from "#server/transcription/access-queries.ts";
import { linkEnd } from "./link-end.ts";
import { changeLink, deleteLink, findOwnLink, hasEnded, insertLink, listLinks, type SharedLinkRow } from "./queries.ts";
import { newLinkSecret, newLock, sealOwner } from "./secrets.ts";
import { viewLink } from "./view.ts";

interface Parts extends SignInParts {
  log: Log;
  throttle: Throttle;
  passwords: Passwords;
  sealer: Sealer;
}

const path = "/api/v1/audio-transcriptions/transcription/:id/links";

/** The owner's API of links to a transcription: make, list, copy, change, revoke (contract/sharing.ts). */
export function sharingRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, now, log } = deps;
  const ownedBy = (c: Context<AppEnv>) => ({
    id: c.req.param("link") ?? "",
    userId: c.var.user.id,
    transcriptionId: c.req.param("id") ?? "",
  });
  const noted = (c: Context<AppEnv>, id: string) => ({ account: c.var.user.id, session: c.var.sessionId, id });

  app.get(path, signedIn, async (c) => {
    const { id } = await ownSummary(deps, c.var.user.id, c.req.param("id"));
    const links = (await listLinks(db, c.var.user.id, id)).map((row) => viewLink(row, now()));
    return c.json({ links } satisfies SharedLinksAnswer);
  });

  app.post(path, signedIn, async (c) => {
    const { passphrase, expiresAt, audio, translation, download, name } = await readJson(c, NewSharedLink);
    const { user, sessionId } = c.var;
    await deps.throttle.count(newSharedLinkLimit, user.id);
    const { id: transcriptionId } = await ownSummary(deps, user.id, c.req.param("id"));
    const { id, secret, hash } = newLinkSecret();
    const row = {
      id,
      user_id: user.id,
      transcription_id: transcriptionId,
      hash,
      sealed_secret: await deps.sealer.seal(secret, sealOwner(user.id, id)),
      name,
      audio: Number(audio),
      translation: Number(translation),
      download: Number(download),
      passphrase_hash: await hashOf(deps, passphrase, c.var.user.id),
      lock: newLock(),
      views: 0,
      created_at: now(),
      expires_at: linkEnd(expiresAt, now()),
    };
    await db.transaction().execute(async (t) => {
      await requireLiving(t, user.id, sessionId);
      await ownSummary({ db: t }, user.id, transcriptionId);
      const working = (await listLinks(t, user.id, transcriptionId)).filter((link) => !hasEnded(link, now()));
      if (working.length >= maxSharedLinks)
        throw new Problem("tooManyAtOnce", `This transcription already has ${maxSharedLinks} links: revoke one first.`);
      await insertLink(t, row);
    });
    log.info("shared link created", noted(c, id));
    return c.json({ ...viewLink(row, now()), secret } satisfies CreatedSharedLink, 201);
  });

  app.get(`${path}/:link/secret`, signedIn, async (c) => {
    await ownSummary(deps, c.var.user.id, c.req.param("id"));
    const row = await findOwnLink(db, ownedBy(c));
    if (row === undefined) throw new Problem("notFound");
    return c.json({ secret: await secretOf(deps, row) } satisfies SharedLinkSecret);
  });

  app.patch(`${path}/:link`, signedIn, async (c) => {
    const { passphrase, expiresAt, name, ...switches } = await readJson(c, SharedLinkChange);
    if (passphrase !== undefined) await deps.throttle.count(newSharedLinkLimit, c.var.user.id);
    await ownSummary(deps, c.var.user.id, c.req.param("id"));
    const change = {
      ...(name !== undefined && { name }),
      ...flags(switches),
      ...(expiresAt !== undefined && { expires_at: linkEnd(expiresAt, now()) }),
      ...(passphrase !== undefined && { passphrase_hash: await hashOf(deps, passphrase, c.var.user.id), lock: newLock() }),
    };
    const row = await db.transaction().execute(async (t) => {
      await requireLiving(t, c.var.user.id, c.var.sessionId);
      return changeLink(t, ownedBy(c), change);
    });
    if (row === undefined) throw new Problem("notFound");
    log.info("shared link changed", noted(c, row.id));
    return c.json(viewLink(row, now()) satisfies SharedLink);
  });

  app.delete(`${path}/:link`, signedIn, async (c) => {
    const owned = ownedBy(c);
    if (!(await deleteLink(db, owned))) throw new Problem("notFound");
    log.info("shared link revoked", noted(c, owned.id));
    return c.body(null, 204);
  });
  return app;
}

/**
 * The secret that opens a link. @throws Problem `gone` for a link of an earlier release, or when the key that encrypted
 * the secret is gone
 */
async function secretOf({ sealer }: Parts, { id, user_id, hash, sealed_secret }: SharedLinkRow): Promise<string> {
  const secret = sealed_secret === null ? undefined : await sealer.open(sealed_secret, sealOwner(user_id, id));
  if (secret === undefined || !isSecretOf(secret, hash)) throw new Problem("gone", "This link can't be shown again.");
  return secret;
}

/** @throws Problem `passwordCommon` */
async function hashOf({ passwords }: Parts, passphrase: string | null, person: string): Promise<string | null> {
  if (passphrase === null) return null;
  if (await isCommonPassword(passphrase)) throw new Problem("passwordCommon");
  return passwords.hash(passphrase, { person });
}

/** The switches as the database stores them. */
function flags({ audio, translation, download }: { audio?: boolean; translation?: boolean; download?: boolean }) {
  return {
    ...(audio !== undefined && { audio: Number(audio) }),
    ...(translation !== undefined && { translation: Number(translation) }),
    ...(download !== undefined && { download: Number(download) }),
  };
}
