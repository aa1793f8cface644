import { type Context, Hono } from "hono";
import type { InferOutput } from "valibot";
import {
  AccountDeletion,
  type ActiveSessionsAnswer,
  avatarTypes,
  EmailChange,
  type MessageAnswer,
  maxAvatarBytes,
  PasswordChange,
  ProfileChange,
  type RecentSignInsAnswer,
  shownSignIns,
} from "#contract/index.ts";
import { changeOwnCredential } from "#server/account/credentials.ts";
import { askForEmailChange } from "#server/account/email-change.ts";
import { promiseMail, sendEmail } from "#server/account/emails.ts";
import { hashNewPassword } from "#server/account/new-password.ts";
import { confirmOwner, type OwnerParts } from "#server/account/owner.ts";
import { profileOf } from "#server/account/profile.ts";
import { Problem } from "#server/errors/problem.ts";
import { bearerOf } from "#server/http/bearer.ts";
import { readBytes, readJson } from "#server/http/body.ts";
import { type Concurrency, exportConcurrency } from "#server/http/concurrency.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import { takesBody } from "#server/http/limits.ts";
import type { Origins } from "#server/http/origins.ts";
import { zipAnswer } from "#server/http/zip-stream.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { SearchIndex } from "#server/search/indexing.ts";
import { endOtherSessions, endSession, listActiveSessions } from "#server/session/active-sessions.ts";
import { clearRefreshCookie } from "#server/session/cookies.ts";
import { findSignedIn } from "#server/session/queries.ts";
import { listRecentSignIns } from "#server/session/recent-sign-ins.ts";
import { requireUser } from "#server/session/require-user.ts";
import { emailChangeLimit, mailLimit } from "#server/session/throttle.ts";
import { mediaTokenSeconds } from "#server/session/token-lifetimes.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Billing } from "#server/subscription/open-billing.ts";
import type { Threads } from "#server/threads/threads.ts";
import { updateUser } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import type { Avatars } from "./avatars.ts";
import { eraseUser } from "./erase-account.ts";
import { exportAccountData } from "./export-account-data.ts";

interface Parts extends OwnerParts {
  concurrency: Concurrency;
  config: { dataDir: string };
  avatars: Avatars;
  billing: Billing;
  storage: Storage;
  worker: Worker;
  threads: Threads;
  searchIndex: SearchIndex;
}

const say = (message: string): InferOutput<typeof MessageAnswer> => ({ message });
const exportPath = "/users/me/export";
const exportCookie = (deps: { origins: Origins }) => authCookie(deps, "parlance_export", exportPath);

export function settingsRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db } = deps;

  app.patch("/users/me", signedIn, async (c) => {
    const change = await readJson(c, ProfileChange);
    if (Object.keys(change).length > 0) await updateUser(db, c.var.user.id, change);
    return c.json(await profileOf(deps, { ...c.var.user, ...change }, c.var.sessionId));
  });

  app.post("/users/me/password", signedIn, async (c) => {
    const { currentPassword, newPassword } = await readJson(c, PasswordChange);
    await confirmOwner(deps, c.var, currentPassword);
    const hash = await hashNewPassword(deps.passwords, newPassword, c.var.user.email);
    await changeOwnCredential(deps, c.var, (t) => updateUser(t, c.var.user.id, { password_hash: hash }));
    await sendEmail(deps, c.var.user.id, "changed", { path: "/forgot-password" });
    return c.json(say("Your password was changed."));
  });

  app.post("/users/me/email", signedIn, async (c) => {
    const { email, password } = await readJson(c, EmailChange);
    const { user } = c.var;
    await confirmOwner(deps, c.var, password);
    await deps.throttle.count(emailChangeLimit, user.id);
    await deps.throttle.count(mailLimit, email);
    await askForEmailChange(deps, user, email, c.var.sessionId);
    return c.json(await promiseMail(deps.outbox, "An e-mail is on its way to the new address."), 202);
  });

  app.get("/users/me/sessions", signedIn, async (c) => {
    const sessions = await listActiveSessions(db, c.var.user.id, c.var.sessionId);
    return c.json({ sessions } satisfies InferOutput<typeof ActiveSessionsAnswer>);
  });
  app.delete("/users/me/sessions", signedIn, async (c) => {
    await endOtherSessions(deps, c.var.user.id, c.var.sessionId);
    return c.body(null, 204);
  });
  app.delete("/users/me/sessions/:id", signedIn, async (c) => {
    if (!(await endSession(deps, c.var.user.id, c.req.param("id")))) throw new Problem("notFound");
    return c.body(null, 204);
  });

  app.get("/users/me/sign-ins", signedIn, async (c) => {
    const signIns = await listRecentSignIns(db, c.var.user.id, c.var.sessionId, shownSignIns);
    return c.json({ signIns } satisfies InferOutput<typeof RecentSignInsAnswer>);
  });

  app.delete("/users/me", signedIn, async (c) => {
    const { password } = await readJson(c, AccountDeletion);
    await confirmOwner(deps, c.var, password);
    await eraseUser(deps, c.var.user);
    clearRefreshCookie(c, deps);
    return c.body(null, 204);
  });

  avatarRoutes(app, deps);
  exportRoutes(app, deps);
  return app;
}

function avatarRoutes(app: Hono<AppEnv>, deps: Parts): void {
  const signedIn = requireUser(deps);
  const { db, avatars } = deps;
  const replace = async ({ user, sessionId }: { user: User; sessionId: string }, avatar: string | null) => {
    await updateUser(db, user.id, { avatar });
    if (user.avatar !== null) await avatars.remove(user.avatar);
    return profileOf(deps, { ...user, avatar }, sessionId);
  };

  app.put("/users/me/avatar", signedIn, takesBody(maxAvatarBytes, deps), async (c) => {
    const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
    if (!avatarTypes.some((known) => known === type))
      throw new Problem("badRequest", "The picture must be PNG, JPEG, WebP or GIF.");
    const picture = await readBytes(c);
    return c.json(await replace(c.var, await avatars.keep(picture, c.var.user.id)));
  });
  app.delete("/users/me/avatar", signedIn, async (c) => c.json(await replace(c.var, null)));

  // No token is needed, because an image element sends none. The name is unguessable.
  app.get("/avatars/:name{[\\da-f-]+\\.webp}", async (c) => {
    const picture = await avatars.read(c.req.param("name").replace(/\.webp$/, ""));
    if (picture === undefined) throw new Problem("notFound");
    c.header("Content-Type", "image/webp");
    c.header("Cache-Control", "private, max-age=31536000, immutable");
    return c.body(new Uint8Array(picture));
  });
}

/** A download is a navigation, which sends no Authorization header: it gets a cookie for this one path. */
function exportRoutes(app: Hono<AppEnv>, deps: Parts): void {
  app.post(`${exportPath}-access`, requireUser(deps), async (c) => {
    // Checked here so that the page can show a refusal. In the navigation that follows, a refusal would replace the
    // page.
    (await deps.concurrency.take(exportConcurrency, c.var.user.id))();
    const token = await deps.tokens.signMedia({ sub: c.var.user.id, sid: c.var.sessionId, transcription: exportPath });
    exportCookie(deps).write(c, token, mediaTokenSeconds);
    return c.body(null, 204);
  });

  app.get(exportPath, async (c) => {
    await admitExport(c, deps);
    const make = () => exportAccountData(deps, c.var.user, c.var.sessionId);
    return zipAnswer(c, deps, { name: "parlance", make });
  });
}

/** Admits a request by its token or by the download's cookie; sets `c.var.user`. @throws Problem `unauthorized` */
async function admitExport(c: Context<AppEnv>, deps: Parts): Promise<void> {
  const { tokens, db } = deps;
  const bearer = bearerOf(c.req.header("authorization"));
  const cookie = exportCookie(deps).read(c);
  const access = bearer === undefined ? undefined : await tokens.verify(bearer);
  const media = access === undefined && cookie !== undefined ? await tokens.verifyMedia(cookie) : undefined;
  const claims = access ?? (media?.transcription === exportPath ? media : undefined);
  const user = claims === undefined ? undefined : await findSignedIn(db, claims.sub, claims.sid);
  if (claims === undefined || user === undefined) throw new Problem("unauthorized", "No auth token: sign in first.");
  c.set("user", user);
  c.set("sessionId", claims.sid);
}
