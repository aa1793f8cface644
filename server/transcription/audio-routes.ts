import { Hono } from "hono";
import * as v from "valibot";
import type { AudioAccess } from "#contract/index.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { check } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { attachment } from "#server/http/file-name.ts";
import { describes } from "#server/http/operations.ts";
import { requireUser } from "#server/session/require-user.ts";
import { mediaTokenSeconds } from "#server/session/token-lifetimes.ts";
import type { Storage } from "#server/storage/storage.ts";
import { findShared, readableSummary } from "./access-queries.ts";
import { audioName } from "./audio-name.ts";
import { FileTitle, fileTitleOf } from "./file-title.ts";
import { type HeardSound, soundType } from "./heard-sound.ts";
import { audioPath, type ListenerParts, listenerOf, mayBeSentOn, mediaCookie } from "./listener.ts";
import { transcriptionOperations } from "./operations.ts";
import { sendAudio } from "./send-audio.ts";
import { summaryOf } from "./view.ts";

interface Parts extends ListenerParts {
  storage: Storage;
  bus: Bus;
  heardSound: HeardSound;
}

const AudioQuery = v.object({ name: FileTitle });

/** Plays a transcription's audio, or (`?download`) gives it as a file. An audio element sends no Authorization header: it gets a cookie for this one audio. */
export function audioRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post(`${audioPath}-access`, requireUser(deps), async (c) => {
    const { row, shared } = await readableSummary(deps, c.var.user.id, c.req.param("id"));
    const { id } = row;
    const token = await deps.tokens.signMedia({ sub: c.var.user.id, sid: c.var.sessionId, transcription: id });
    mediaCookie(deps, id).write(c, token, mediaTokenSeconds);
    if (shared !== undefined || deps.storage.bucket?.publicOrigin === undefined) return c.body(null, 204);
    return c.json({ direct: true } satisfies AudioAccess);
  });

  app.get(audioPath, describes(transcriptionOperations.audio), async (c) => {
    const id = c.req.param("id");
    const userId = await listenerOf(c, deps, id);
    const { row, shared } = await readableSummary(deps, userId, id);
    if (row.audio_type === null) throw new Problem("notFound", "This transcription has no audio.");
    const file = await deps.storage.audio(id);
    if (file === undefined) throw new Problem("notFound", "This transcription's audio is gone.");
    const isDownload = c.req.query("download") !== undefined;
    const heard = isDownload ? undefined : await deps.heardSound.file(row);
    const { name: title = fileTitleOf(summaryOf(row)) } = check(AudioQuery, c.req.query());
    const { name, ending } = audioName({ ...row, title });
    const disposition = isDownload ? attachment(name, ending) : "inline";
    const options = { type: heard === undefined ? row.audio_type : soundType, disposition };
    const addressOf = () =>
      heard === undefined ? deps.storage.audioAddress(id, options) : deps.storage.videos.address(id, heard.kind, options);
    // Somebody else's is always sent from here: an address of the bucket would go on after it was shared no longer.
    const address = shared === undefined && mayBeSentOn(c) ? await addressOf() : undefined;
    // Never cached: the address is accepted for minutes alone.
    if (address !== undefined) return c.body(null, 307, { Location: address, "Cache-Control": "no-store" });
    const answer = sendAudio(c, heard?.file ?? file, { ...options, name: heard === undefined ? id : `${id}-${heard.kind}` });
    return shared === undefined ? answer : whileShared(answer, deps, { userId, id });
  });
  return app;
}

interface Listening {
  userId: string;
  /** Of the transcription. */
  id: string;
}

/** An answer with a sound that is shared with somebody: it breaks off when it is so no longer. */
function whileShared(answer: Response, { db, bus }: { db: Db; bus: Bus }, { userId, id }: Listening): Response {
  if (answer.body === null) return answer;
  const broken = new AbortController();
  const stop = bus.subscribe("shares.changed", (changed) => {
    if (changed !== undefined && changed !== id) return;
    // What can't be asked is no reason to go on.
    const look = findShared(db, userId, id).catch(() => undefined);
    void look.then((shared) => shared === undefined && broken.abort(new Error("The sound is no longer shared.")));
  });
  const through = new TransformStream<Uint8Array, Uint8Array>();
  // It also ends when the listener goes: then there is nobody who could be told.
  void answer.body
    .pipeTo(through.writable, { signal: broken.signal })
    .catch(() => {})
    .finally(stop);
  return new Response(through.readable, { status: answer.status, headers: answer.headers });
}
