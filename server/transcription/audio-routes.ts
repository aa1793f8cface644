import { type FileHandle, open, stat } from "node:fs/promises";
import { type Context, Hono } from "hono";
import { authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type ByteRange, parseRange } from "#server/http/range.ts";
import type { Origins } from "#server/origins.ts";
import { Problem } from "#server/problem.ts";
import { findSignedIn } from "#server/session/queries.ts";
import { bearerOf, requireUser, type SignInParts } from "#server/session/require-user.ts";
import { mediaTokenSeconds } from "#server/session/token-lifetimes.ts";
import type { Storage } from "#server/storage.ts";
import { ownSummary } from "./routes.ts";

interface Parts extends SignInParts {
  origins: Origins;
  storage: Storage;
}

const chunkBytes = 256 * 1024;
const path = "/api/v1/audio-transcriptions/transcription/:id/audio";

/** Playing a transcription's audio. An audio element sends no Authorization header: it gets a cookie for this one audio. */
export function audioRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post(`${path}-access`, requireUser(deps), async (c) => {
    const { id } = await ownSummary(deps, c.var.user.id, c.req.param("id"));
    const token = await deps.tokens.signMedia({ sub: c.var.user.id, sid: c.var.sessionId, transcription: id });
    mediaCookie(deps, id).write(c, token, mediaTokenSeconds);
    return c.body(null, 204);
  });

  app.get(path, async (c) => {
    const id = c.req.param("id");
    const row = await ownSummary(deps, await listenerOf(c, deps, id), id);
    if (row.audio_type === null) throw new Problem("notFound", "This transcription has no audio.");
    const file = deps.storage.audioPath(id);
    const { size } = await stat(file);
    c.header("Content-Type", row.audio_type);
    c.header("Content-Disposition", "inline");
    // Whatever the file claims to be: nothing in it is run.
    c.header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
    c.header("Cache-Control", "private, no-cache");
    c.header("Accept-Ranges", "bytes");
    c.header("ETag", `"${id}-${size}"`);
    return sendRange(c, file, size, `"${id}-${size}"`);
  });
  return app;
}

const mediaCookie = (deps: Parts, id: string) => authCookie(deps, "parlance_media", path.replace(":id", id));

/** Whose request it is: by token or by the audio's cookie. @throws Problem `unauthorized` */
async function listenerOf(c: Context<AppEnv>, deps: Parts, id: string): Promise<string> {
  const bearer = bearerOf(c.req.header("authorization"));
  const cookie = mediaCookie(deps, id).read(c);
  const access = bearer === undefined ? undefined : await deps.tokens.verify(bearer);
  const media = access === undefined && cookie !== undefined ? await deps.tokens.verifyMedia(cookie) : undefined;
  const claims = access ?? (media?.transcription === id ? media : undefined);
  const user = claims === undefined ? undefined : await findSignedIn(deps.db, claims.sub, claims.sid);
  if (user === undefined) throw new Problem("unauthorized", "No auth token: sign in first.");
  return user.id;
}

/** Answers with a file, or the part of it that the request's Range asks for. @param tag its ETag */
export function sendRange(c: Context, file: string, size: number, tag: string): Response {
  const validator = c.req.header("if-range");
  const range = validator === undefined || validator === tag ? parseRange(c.req.header("range"), size) : undefined;
  if (range === "unsatisfiable") {
    c.header("Content-Range", `bytes */${size}`);
    return c.json({ message: "The range is outside of the file.", code: "badRequest" }, 416);
  }
  const part: ByteRange = range ?? { start: 0, end: size - 1 };
  c.header("Content-Length", String(part.end - part.start + 1));
  if (range !== undefined) c.header("Content-Range", `bytes ${part.start}-${part.end}/${size}`);
  const status = range === undefined ? 200 : 206;
  if (c.req.method === "HEAD" || size === 0) return c.body(null, status);
  return c.body(asWebStream(file, part), status);
}

/**
 * Read as fast as it is taken. The file is opened with the first byte that is asked for and closed when the listener goes away, also while
 * it is being opened: a handle that is left to the garbage collector ends the process (Node 26).
 */
function asWebStream(file: string, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  let opening: Promise<FileHandle> | undefined;
  let position = start;
  const close = async () => (await opening?.catch(() => undefined))?.close();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    opening ??= open(file, "r");
    const handle = await opening;
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end + 1 - position));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    position += bytesRead;
    if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
    if (position <= end && bytesRead > 0) return;
    await close();
    controller.close();
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: (controller) =>
      pull(controller).catch(async (error: unknown) => {
        await close();
        throw error;
      }),
    cancel: close,
  };
  // Nothing is read ahead: an answer that nobody takes opens no file.
  return new ReadableStream(source, { highWaterMark: 0 });
}
