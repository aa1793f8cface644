import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { AudioAccess } from "#contract/index.ts";
import type { Bus } from "#server/common/bus.ts";
import { Problem } from "#server/common/problem.ts";
import type { Storage } from "#server/common/storage.ts";
import { check } from "#server/http/body.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import { describes } from "#server/http/operations.ts";
import type { Origins } from "#server/http/origins.ts";
import { findSignedIn } from "#server/session/queries.ts";
import { type AccessParts, admitPersonalToken } from "#server/session/require-access.ts";
import { bearerOf, requireUser } from "#server/session/require-user.ts";
import { mediaTokenSeconds } from "#server/session/token-lifetimes.ts";
import { readableSummary } from "./access-queries.ts";
import { audioName } from "./audio-name.ts";
import { attachment, FileTitle, fileTitleOf } from "./export.ts";
import { transcriptionOperations } from "./operations.ts";
import { sendAudio } from "./send-audio.ts";
import { whileShared } from "./shared-sound.ts";
import { summaryOf } from "./view.ts";

interface Parts extends AccessParts {
  origins: Origins;
  storage: Storage;
  bus: Bus;
}

const AudioQuery = v.object({ name: FileTitle });
const path = "/api/v1/audio-transcriptions/transcription/:id/audio";

/** Plays a transcription's audio, or (`?download`) gives it as a file. An audio element sends no Authorization header: it gets a cookie for this one audio. */
export function audioRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post(`${path}-access`, requireUser(deps), async (c) => {
    const { row, shared } = await readableSummary(deps, c.var.user.id, c.req.param("id"));
    const { id } = row;
    const token = await deps.tokens.signMedia({ sub: c.var.user.id, sid: c.var.sessionId, transcription: id });
    mediaCookie(deps, id).write(c, token, mediaTokenSeconds);
    if (shared !== undefined || deps.storage.bucket?.publicOrigin === undefined) return c.body(null, 204);
    return c.json({ direct: true } satisfies AudioAccess);
  });

  app.get(path, describes(transcriptionOperations.audio), async (c) => {
    const id = c.req.param("id");
    const userId = await listenerOf(c, deps, id);
    const { row, shared } = await readableSummary(deps, userId, id);
    if (row.audio_type === null) throw new Problem("notFound", "This transcription has no audio.");
    const file = await deps.storage.audio(id);
    if (file === undefined) throw new Problem("notFound", "This transcription's audio is gone.");
    const { name: title = fileTitleOf(summaryOf(row)) } = check(AudioQuery, c.req.query());
    const { name, ending } = audioName({ ...row, title });
    const disposition = c.req.query("download") === undefined ? "inline" : attachment(name, ending);
    // Somebody else's is always sent from here: an address of the bucket would go on after it was shared no longer.
    const address =
      shared === undefined && mayBeSentOn(c)
        ? await deps.storage.audioAddress(id, { type: row.audio_type, disposition })
        : undefined;
    // Never cached: the address is accepted for minutes alone.
    if (address !== undefined) return c.body(null, 307, { Location: address, "Cache-Control": "no-store" });
    const answer = sendAudio(c, file, { type: row.audio_type, disposition, name: id });
    return shared === undefined ? answer : whileShared(answer, deps, { userId, id });
  });
  return app;
}

/**
 * Whether a browser follows to the bucket: an element that asks without CORS, or a navigation, says so. Whoever asks with a token
 * or with CORS needs this server's answer.
 */
function mayBeSentOn(c: Context<AppEnv>): boolean {
  const mode = c.req.header("sec-fetch-mode");
  return c.req.method === "GET" && (mode === "no-cors" || mode === "navigate") && c.req.header("authorization") === undefined;
}

const mediaCookie = (deps: Parts, id: string) => authCookie(deps, "parlance_media", path.replace(":id", id));

/** Authenticates by token or by the audio's cookie. @throws Problem `unauthorized`, and those of a personal access token */
async function listenerOf(c: Context<AppEnv>, deps: Parts, id: string): Promise<string> {
  const owner = await admitPersonalToken(c, deps, "transcriptions:read");
  if (owner !== undefined) return owner.id;
  const bearer = bearerOf(c.req.header("authorization"));
  const cookie = mediaCookie(deps, id).read(c);
  const access = bearer === undefined ? undefined : await deps.tokens.verify(bearer);
  const media = access === undefined && cookie !== undefined ? await deps.tokens.verifyMedia(cookie) : undefined;
  const claims = access ?? (media?.transcription === id ? media : undefined);
  const user = claims === undefined ? undefined : await findSignedIn(deps.db, claims.sub, claims.sid);
  if (user === undefined) throw new Problem("unauthorized", "No auth token: sign in first.");
  return user.id;
}
