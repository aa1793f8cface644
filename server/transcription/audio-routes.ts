import { Hono } from "hono";
import * as v from "valibot";
import type { AudioAccess } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { check } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { attachment } from "#server/http/file-name.ts";
import { describes } from "#server/http/operations.ts";
import { requireUser } from "#server/session/require-user.ts";
import { mediaTokenSeconds } from "#server/session/token-lifetimes.ts";
import type { Storage } from "#server/storage/storage.ts";
import { endWithRecording, ownWithSound, readableSummary } from "./access-queries.ts";
import { audioName } from "./audio-name.ts";
import { FileTitle, fileTitleOf } from "./file-title.ts";
import { admitListener, audioPath, type ListenerParts, mayBeSentOn, mediaCookie } from "./listener.ts";
import { transcriptionOperations } from "./operations.ts";
import { type RecognizedAudio, soundType } from "./recognized-audio.ts";
import { sendAudio } from "./send-audio.ts";
import { summaryOf } from "./view.ts";

interface Parts extends ListenerParts {
  storage: Storage;
  recognizedAudio: RecognizedAudio;
}

const AudioQuery = v.object({ name: FileTitle });

/**
 * Plays a transcription's audio, or (`?download`) sends it as a file. An audio element sends no Authorization header,
 * so it gets a cookie for this one audio.
 */
export function audioRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post(`${audioPath}-access`, requireUser(deps), async (c) => {
    const { row, shared } = await readableSummary(deps, c, c.req.param("id"));
    const { id } = row;
    const token = await deps.tokens.signMedia({ sub: c.var.user.id, sid: c.var.sessionId, transcription: id });
    mediaCookie(deps, id).write(c, token, mediaTokenSeconds);
    if (shared !== undefined || deps.storage.bucket?.publicOrigin === undefined) return c.body(null, 204);
    return c.json({ direct: true } satisfies AudioAccess);
  });

  app.get(audioPath, describes(transcriptionOperations.audio), async (c) => {
    const id = c.req.param("id");
    await admitListener(c, deps, id);
    const { shared, row: found } = await readableSummary(deps, c, id);
    const row = await ownWithSound(deps, found.user_id, id);
    endWithRecording(c, deps, id);
    const file = await deps.storage.audio(id);
    if (file === undefined) throw new Problem("notFound", "This transcription's audio no longer exists.");
    const isDownload = c.req.query("download") !== undefined;
    const heard = isDownload ? undefined : await deps.recognizedAudio.file(row);
    const { name: title = fileTitleOf(summaryOf(row)) } = check(AudioQuery, c.req.query());
    const { name, ending } = audioName({ ...row, title });
    const disposition = isDownload ? attachment(name, ending) : "inline";
    const options = { type: heard === undefined ? row.audio_type : soundType, disposition };
    const addressOf = () =>
      heard === undefined ? deps.storage.audioAddress(id, options) : deps.storage.videos.address(id, heard.kind, options);
    // Another user's audio is always sent from here: a presigned URL of the bucket would stay valid after the share has
    // ended.
    const address = shared === undefined && mayBeSentOn(c) ? await addressOf() : undefined;
    // Never cached, because the presigned URL is valid for minutes only.
    if (address !== undefined) return c.body(null, 307, { Location: address, "Cache-Control": "no-store" });
    return sendAudio(c, heard?.file ?? file, { ...options, name: heard === undefined ? id : `${id}-${heard.kind}` });
  });
  return app;
}
