import { createHash } from "node:crypto";
import type { ErrorCode } from "#contract/index.ts";
import { sendEmail } from "#server/account/emails.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { placeOne } from "#server/filing/place.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { feedMailPace, type Throttle } from "#server/session/throttle.ts";
import type { Diarizer, SpeechEngines } from "#server/speech/index.ts";
import type { Threads } from "#server/threads/threads.ts";
import { updateTranscription } from "#server/transcription/update.ts";
import { type AcceptUrlParts, acceptUrl } from "#server/uploads/accept-url.ts";
import { changeEpisode, countWaiting, type DueEpisode, putOff } from "./episode-queries.ts";
import { changeFeed, findFeed } from "./queries.ts";
import { fewWaiting, maxAttempts, retryMs, waitingMs } from "./rules.ts";

export interface EpisodeParts extends AcceptUrlParts {
  log: Log;
  origins: Origins;
  outbox: Outbox;
  throttle: Throttle;
  threads: Threads;
  diarizer: Diarizer;
  engines: SpeechEngines;
  worker: Worker;
}

/** Refusals that the person or the operator must resolve before any of the person's episodes can be transcribed. */
const forPerson: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["limitReached", "quotaReached", "storageFull"]);

/**
 * Has an episode transcribed like an address that the person entered. It always uses the same id, so that a retry after
 * a crash finds the earlier result.
 * @param due as it was leased
 */
export async function transcribeEpisode(parts: EpisodeParts, due: DueEpisode): Promise<void> {
  const { db, now, log, worker } = parts;
  try {
    const id = due.transcription_id === null ? await begin(parts, due) : await tryAgain(parts, due, due.transcription_id);
    await db.transaction().execute(async (t) => {
      await changeEpisode(t, due, { state: "taken", reason: null, transcription_id: id });
      await resumeFeed(t, due, now());
      if (id === null || due.folder_id === null || due.transcription_id !== null) return;
      await placeOne(t, due.user_id, id, { folderId: due.folder_id, addTags: [], removeTags: [] });
    });
    worker.wake();
  } catch (error) {
    if (!(error instanceof Problem) || error.code === "internal") throw error;
    log.info("episode not transcribed", { feed: due.feed_id, error: error.code });
    await wait(parts, due, error, now());
  }
}

/**
 * Polls a feed again whose number of waiting episodes has dropped below the limit.
 * @param at epoch ms
 */
async function resumeFeed(t: Db, { feed_id: id, user_id: userId }: DueEpisode, at: number): Promise<void> {
  const feed = await findFeed(t, { id, userId });
  if (feed?.pause_reason !== "full" || (await countWaiting(t, id)) > fewWaiting) return;
  await changeFeed(t, { id, userId }, { paused_at: null, pause_reason: null, next_at: at });
}

async function begin(parts: EpisodeParts, due: DueEpisode): Promise<string> {
  // An episode longer than the remaining minutes is not even fetched, if its feed has its length.
  await parts.usage.refuseOver(due.user_id, due.seconds);
  const { id } = await acceptUrl(parts, due.user_id, {
    clientId: clientIdOf(due),
    url: due.url,
    title: due.title,
    sourceLanguage: due.source_language,
    ...(due.target_language !== null && { targetLanguage: due.target_language }),
  });
  return id;
}

/**
 * Its recording is already here.
 * @returns null if its person has deleted it
 */
async function tryAgain(parts: EpisodeParts, due: DueEpisode, id: string): Promise<string | null> {
  try {
    return (await updateTranscription(parts, due.user_id, id, { retry: true })).row.id;
  } catch (error) {
    if (error instanceof Problem && error.code === "notFound") return null;
    throw error;
  }
}

/** A UUID, the same for each attempt. */
function clientIdOf({ feed_id, key }: DueEpisode): string {
  const hash = createHash("sha256").update(`${feed_id}\0${key}`).digest("hex");
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-");
}

/** @param at epoch ms */
async function wait(parts: EpisodeParts, due: DueEpisode, { code, retryAfter }: Problem, at: number): Promise<void> {
  const { db, throttle } = parts;
  if (forPerson.has(code)) {
    await putOff(db, due, code, { now: at, at: at + waitingMs });
    if (!(await throttle.take(feedMailPace, due.user_id))) return;
    return sendEmail(parts, due.user_id, "episodesWait", { path: "/settings/transcription" });
  }
  const isLast = code === "urlRefused" || (isUnreachable(code) && due.attempts >= maxAttempts);
  if (isLast) return changeEpisode(db, due, { state: "refused", reason: code });
  // A full queue is no fault; a language may be installed again.
  if (code === "tooManyRequests") return changeEpisode(db, due, { reason: null, next_at: at + (retryAfter ?? 60) * 1000 });
  const next_at = at + (isUnreachable(code) ? retryMs(due.attempts) : waitingMs);
  return changeEpisode(db, due, { reason: code, next_at });
}

const isUnreachable = (code: ErrorCode): boolean => code === "urlUnreachable" || code === "urlTimeout";
