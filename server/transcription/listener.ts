import type { Context } from "hono";
import { Problem } from "#server/errors/problem.ts";
import { bearerOf } from "#server/http/bearer.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { findSignedIn } from "#server/session/queries.ts";
import { type AccessParts, admitPersonalToken } from "#server/session/require-access.ts";

export interface ListenerParts extends AccessParts {
  origins: Origins;
}

/**
 * Path of a transcription's audio. Files derived from it are below this path, so that the audio's cookie is sent for
 * them, too.
 */
export const audioPath = "/api/v1/audio-transcriptions/transcription/:id/audio";

/** The cookie for one audio, because an audio element sends no Authorization header. */
export const mediaCookie = (deps: ListenerParts, id: string) => authCookie(deps, "parlance_media", audioPath.replace(":id", id));

/**
 * Whether the browser can follow a redirect to the bucket: an element without CORS, or a navigation. Requests with a
 * token or with CORS need this server's answer.
 */
export function mayBeSentOn(c: Context<AppEnv>): boolean {
  const mode = c.req.header("sec-fetch-mode");
  return c.req.method === "GET" && (mode === "no-cors" || mode === "navigate") && c.req.header("authorization") === undefined;
}

/**
 * Authenticates by token or by the audio's cookie, and sets `c.var.user` and `c.var.sessionId`.
 * @throws Problem `unauthorized`, and those of a personal access token
 */
export async function admitListener(c: Context<AppEnv>, deps: ListenerParts, id: string): Promise<void> {
  if ((await admitPersonalToken(c, deps, "transcriptions:read")) !== undefined) return;
  const bearer = bearerOf(c.req.header("authorization"));
  const cookie = mediaCookie(deps, id).read(c);
  const access = bearer === undefined ? undefined : await deps.tokens.verify(bearer);
  const media = access === undefined && cookie !== undefined ? await deps.tokens.verifyMedia(cookie) : undefined;
  const claims = access ?? (media?.transcription === id ? media : undefined);
  const user = claims === undefined ? undefined : await findSignedIn(deps.db, claims.sub, claims.sid);
  if (claims === undefined || user === undefined) throw new Problem("unauthorized", "No auth token: sign in first.");
  c.set("user", user);
  c.set("sessionId", claims.sid);
}
