import { type Context, Hono } from "hono";
import { CaptionedRequest, type CaptionedVideo, captionedMs, type VideoAnswer, type VideoPicture } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { check, readJson, readQuery } from "#server/http/body.ts";
import type { Concurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { attachment } from "#server/http/file-name.ts";
import { describes } from "#server/http/operations.ts";
import { askAgain } from "#server/http/while-allowed.ts";
import { zipAnswer } from "#server/http/zip-stream.ts";
import { accessFor } from "#server/session/require-access.ts";
import { captionedVideoLimit, type Throttle } from "#server/session/throttle.ts";
import type { Storage, VideoKind } from "#server/storage/storage.ts";
import type { StoredFile } from "#server/storage/stored-file.ts";
import { noteAudioChange } from "#server/subscription/storage-queries.ts";
import type { Threads } from "#server/threads/threads.ts";
import { endWithRecording, ownSummary, ownWithSound } from "#server/transcription/access-queries.ts";
import { fileTitleOf } from "#server/transcription/file-title.ts";
import { admitListener, audioPath, type ListenerParts, mayBeSentOn } from "#server/transcription/listener.ts";
import { sendAudio } from "#server/transcription/send-audio.ts";
import type { SummaryRow } from "#server/transcription/summary-queries.ts";
import { summaryOf } from "#server/transcription/view.ts";
import { videoOperations as operations, SubtitlesQuery, VideoQuery } from "./operations.ts";
import { mayBeVideo } from "./probe.ts";
import { countCaptioning, deleteVideo, findVideo, listVideos, putVideo, type VideoRow } from "./queries.ts";
import { subtitlePair } from "./subtitles.ts";

interface Parts extends ListenerParts {
  storage: Pick<Storage, "audio" | "audioAddress" | "videos">;
  throttle: Throttle;
  concurrency: Concurrency;
  threads: Threads;
}

const base = "/api/v1/audio-transcriptions/transcription/:id";
const madeType = "video/mp4";

/**
 * The picture of a recording, and videos with burnt-in captions (contract/video.ts). The worker makes what the rows
 * request.
 */
export function videoRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  const { db, now, storage } = deps;

  app.get(`${base}/video`, access(operations.read), async (c) => {
    const row = await ownWithSound(deps, c.var.user.id, c.req.param("id"));
    return c.json(viewVideo(await known(deps, row)));
  });

  app.get(`${audioPath}/picture`, describes(operations.picture), async (c) => {
    const row = await watched(c, deps);
    const { id, audio_type } = row;
    const picture = await findVideo(db, { transcription_id: id, kind: "picture" });
    if (picture?.state !== "original") return send(c, deps, row, "picture", "inline");
    const type = audio_type.startsWith("video/") ? audio_type : madeType;
    const options = { type, disposition: "inline" };
    return answer(c, await storage.audio(id), { ...options, name: id }, () => storage.audioAddress(id, options));
  });

  app.get(`${base}/subtitles`, access(operations.subtitles), async (c) => {
    const { user } = c.var;
    const summary = await ownSummary(deps, user.id, c.req.param("id"));
    const { name: title = fileTitleOf(summaryOf(summary)), lng } = readQuery(c, SubtitlesQuery);
    const make = () => subtitlePair(deps, { userId: user.id, id: summary.id, title, language: lng });
    const answered = await zipAnswer(c, deps, { name: "subtitles", make });
    answered.headers.set("Content-Disposition", attachment(title, "zip"));
    return answered;
  });

  app.post(`${base}/captioned`, access(operations.caption), async (c) => {
    const { content, lng } = await readJson(c, CaptionedRequest);
    const { id, user_id, status } = await ownWithSound(deps, c.var.user.id, c.req.param("id"));
    if (status !== "completed") throw new Problem("conflict", "The transcription is not finished.");
    const picture = await findVideo(db, { transcription_id: id, kind: "picture" });
    if (picture === undefined || picture.state === "none") throw new Problem("notFound", "This recording has no picture.");
    await deps.throttle.count(captionedVideoLimit, user_id);
    await db.transaction().execute(async (t) => {
      if ((await countCaptioning(t, user_id, id)) > 0)
        throw new Problem("tooManyAtOnce", "Another of your videos is being made: wait for it or stop it.", { status: 409 });
      const asked = { transcription_id: id, kind: "captioned", user_id, state: "waiting", content, language: lng } as const;
      await putVideo(t, { ...asked, asked_at: now() });
    });
    // The existing file has other captions. A process still making it notices that the request was replaced.
    await removeFile(deps, id, "captioned");
    return c.json(viewVideo(await listVideos(db, id)), 202);
  });

  app.delete(`${base}/captioned`, access(operations.uncaption), async (c) => {
    const { id } = await ownSummary(deps, c.var.user.id, c.req.param("id"));
    if (!(await deleteVideo(db, { transcription_id: id, kind: "captioned" }))) {
      throw new Problem("notFound", "This transcription has no video with captions.");
    }
    await removeFile(deps, id, "captioned");
    return c.body(null, 204);
  });

  app.get(`${audioPath}/captioned`, describes(operations.captioned), async (c) => {
    const row = await watched(c, deps);
    const { name = fileTitleOf(summaryOf(row)) } = check(VideoQuery, c.req.query());
    return send(c, deps, row, "captioned", attachment(name, "mp4"));
  });
  return app;
}

/**
 * The recording whose video is requested. The response ends when the recording is deleted.
 * @throws Problem `notFound`, `unauthorized`
 */
async function watched(c: Context<AppEnv>, deps: Parts) {
  const id = c.req.param("id") ?? "";
  await admitListener(c, deps, id);
  endWithRecording(c, deps, id);
  return ownWithSound(deps, c.var.user.id, id);
}

/**
 * The known rows. Recordings that earlier releases did not check are checked now, and files missing in a restored
 * backup are made again.
 */
async function known({ db, now, storage }: Parts, { id, user_id, status, audio_type }: SummaryRow): Promise<VideoRow[]> {
  const rows = await listVideos(db, id);
  const picture = rows.find(({ kind }) => kind === "picture");
  const isLost = picture?.state === "ready" && (await storage.videos.file(id, "picture")) === undefined;
  const isUnknown = picture === undefined && status !== "processing" && mayBeVideo(audio_type ?? "");
  if (!isLost && !isUnknown) return rows;
  await db.transaction().execute(async (t) => {
    const asked = { transcription_id: id, kind: "picture", user_id, state: "waiting", asked_at: now() } as const;
    await putVideo(t, asked);
  });
  return listVideos(db, id);
}

/** Removes a file that no row refers to. */
async function removeFile({ db, storage }: Parts, id: string, kind: VideoKind): Promise<void> {
  await storage.videos.remove(id, kind);
  await db.transaction().execute((t) => noteAudioChange(t, id));
}

/** Sends a finished file, or the requested range of it. @throws Problem `notFound` */
async function send(
  c: Context<AppEnv>,
  { db, storage }: Parts,
  { id }: SummaryRow,
  kind: VideoKind,
  disposition: string,
): Promise<Response> {
  const find = () => findVideo(db, { transcription_id: id, kind });
  const row = await find();
  const file = row?.state === "ready" ? await storage.videos.file(id, kind) : undefined;
  askAgain(c, async () => {
    if ((await find())?.finished_at !== row?.finished_at) throw noVideo();
  });
  const options = { type: madeType, disposition };
  // A file made later is a different one, even if it has the same size.
  const name = `${id}-${kind}-${row?.finished_at ?? 0}`;
  return answer(c, file, { ...options, name }, () => storage.videos.address(id, kind, options));
}

const noVideo = () => new Problem("notFound", "This video does not exist.");

async function answer(
  c: Context<AppEnv>,
  file: StoredFile | undefined,
  sent: Parameters<typeof sendAudio>[2],
  addressOf: () => Promise<string | undefined>,
): Promise<Response> {
  if (file === undefined) throw noVideo();
  const address = mayBeSentOn(c) ? await addressOf() : undefined;
  // Never cached, because the presigned URL is valid for minutes only.
  if (address !== undefined) return c.body(null, 307, { Location: address, "Cache-Control": "no-store" });
  return sendAudio(c, file, sent);
}

/** The state of the videos for their owner. */
function viewVideo(rows: readonly VideoRow[]): VideoAnswer {
  const picture = rows.find(({ kind }) => kind === "picture");
  const captioned = rows.find(({ kind }) => kind === "captioned");
  return { picture: viewPicture(picture), captioned: captioned === undefined ? null : viewCaptioned(captioned) };
}

function viewPicture(row: VideoRow | undefined): VideoPicture {
  if (row === undefined) return { state: "none", fraction: 0, problem: null };
  return { state: row.state, fraction: row.fraction, problem: row.problem };
}

function viewCaptioned({ state, content, fraction, problem, undrawn, finished_at }: VideoRow): CaptionedVideo | null {
  if (state === "none" || state === "original" || content === null) return null;
  const expiresAt = state === "ready" && finished_at !== null ? new Date(finished_at + captionedMs).toISOString() : null;
  return { state, content, fraction, problem, undrawn, expiresAt };
}
