import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import type * as v from "valibot";
import { type Feed, FeedChange, type FeedsAnswer, NewFeed } from "#contract/index.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { requireOwnFiling } from "#server/filing/place.ts";
import { readJson } from "#server/http/body.ts";
import { type Concurrency, feedConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Log } from "#server/log/log.ts";
import { checkUrl } from "#server/outbound/address.ts";
import { requireLiving } from "#server/session/queries.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { followedFeedLimit, type Throttle } from "#server/session/throttle.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import { isUnlimited } from "#server/subscription/usage.ts";
import type { Translator } from "#server/transcription/translator.ts";
import { checkFields } from "#server/uploads/fields.ts";
import { insertEpisodes } from "./episode-queries.ts";
import { episodeRow } from "./poll-feed.ts";
import { changeFeed, deleteFeed, type FeedRow, findFeed, insertFeed, listFeeds } from "./queries.ts";
import { type ReadFeed, type ReadParts, readFeed, unknownVersion } from "./read.ts";
import { feedLimit, waitAfter } from "./rules.ts";
import { viewFeeds, viewOne } from "./view.ts";

interface Parts extends SignInParts, ReadParts {
  log: Log;
  bus: Bus;
  throttle: Throttle;
  concurrency: Concurrency;
  engines: SpeechEngines;
  translator: Translator;
}

const path = "/users/me/feeds";

/** Feeds that a person follows: listed with how they stand, followed, paused, unfollowed (contract/feeds.ts). */
export function feedRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, log, bus, throttle, concurrency } = deps;
  const ownedBy = (c: Context<AppEnv>) => ({ id: c.req.param("id") ?? "", userId: c.var.user.id });
  const noted = (c: Context<AppEnv>, id: string) => ({ account: c.var.user.id, session: c.var.sessionId, id });

  app.get(path, signedIn, async (c) => {
    const limit = feedLimit(await isUnlimited(db, c.var.user.id));
    return c.json({ feeds: await viewFeeds(db, c.var.user.id), limit } satisfies FeedsAnswer);
  });

  app.post(path, signedIn, async (c) => {
    const wanted = await readJson(c, NewFeed);
    const { user, sessionId } = c.var;
    await throttle.count(followedFeedLimit, user.id);
    const { signal } = c.req.raw;
    const row = await concurrency.run(feedConcurrency, user.id, signal, () =>
      follow(deps, { userId: user.id, sessionId, signal }, wanted),
    );
    bus.publish("feeds.due");
    log.info("feed followed", noted(c, row.id));
    return c.json((await viewOne(db, row)) satisfies Feed, 201);
  });

  app.patch(`${path}/:id`, signedIn, async (c) => {
    const change = await readJson(c, FeedChange);
    if (change.paused === false) await throttle.count(followedFeedLimit, c.var.user.id);
    const row = await db.transaction().execute(async (t) => {
      await requireLiving(t, c.var.user.id, c.var.sessionId);
      return changed(deps, t, ownedBy(c), change);
    });
    bus.publish("feeds.due");
    log.info("feed changed", noted(c, row.id));
    return c.json((await viewOne(db, row)) satisfies Feed);
  });

  app.delete(`${path}/:id`, signedIn, async (c) => {
    const owned = ownedBy(c);
    if (!(await deleteFeed(db, owned))) throw new Problem("notFound");
    log.info("feed unfollowed", noted(c, owned.id));
    return c.body(null, 204);
  });
  return app;
}

interface Follower {
  userId: string;
  sessionId: string;
  signal: AbortSignal;
}

/**
 * Reads the feed at once: an invalid one is refused, and its current episodes don't count as new.
 * @throws Problem
 */
async function follow(deps: Parts, { userId, sessionId, signal }: Follower, wanted: Wanted): Promise<FeedRow> {
  const { db, urlPolicy } = deps;
  const { sourceLanguage, targetLanguage } = wanted;
  checkFields(deps, { clientId: randomUUID(), sourceLanguage, ...(targetLanguage !== undefined && { targetLanguage }) });
  const url = checkUrl(wanted.url, urlPolicy).href;
  await requireRoom(db, userId, url);
  const read = await readFeed(deps, url, unknownVersion, { person: userId, signal });
  if (read === undefined || read.entries.length === 0) {
    throw new Problem("notAudio", "No feed with recordings was found at this address.");
  }
  return db.transaction().execute(async (t) => {
    await requireLiving(t, userId, sessionId);
    await requireRoom(t, userId, url);
    await requireOwnFiling(t, userId, { ids: [], folderId: wanted.folderId });
    return store(t, { userId, url, at: deps.now() }, wanted, read);
  });
}

type Wanted = v.InferOutput<typeof NewFeed>;

async function store(
  t: Db,
  { userId, url, at }: { userId: string; url: string; at: number },
  wanted: Wanted,
  { title, entries, version }: ReadFeed,
): Promise<FeedRow> {
  const row: FeedRow = {
    id: randomUUID(),
    user_id: userId,
    url,
    title,
    source_language: wanted.sourceLanguage,
    target_language: wanted.targetLanguage ?? null,
    folder_id: wanted.folderId,
    created_at: at,
    paused_at: null,
    pause_reason: null,
    etag: version.etag,
    last_modified: version.lastModified,
    failures: 0,
    failing_since: null,
    error: null,
    looked_at: at,
    next_at: at + waitAfter(0, Math.random()),
  };
  await insertFeed(t, row);
  const stateOf = (place: number) => (wanted.takeNewest && place === 0 ? "waiting" : "seen");
  await insertEpisodes(
    t,
    entries.map((entry, place) => episodeRow(row, entry, stateOf(place), at)),
  );
  return row;
}

/** @throws Problem `conflict` when it is followed already, `tooManyAtOnce` */
async function requireRoom(t: Db, userId: string, url: string): Promise<void> {
  const feeds = await listFeeds(t, userId);
  if (feeds.some((feed) => feed.url === url)) throw new Problem("conflict", "You already follow this feed.");
  await requirePlace(t, userId, feeds.length);
}

async function requirePlace(t: Db, userId: string, count: number): Promise<void> {
  const limit = feedLimit(await isUnlimited(t, userId));
  if (count >= limit) throw new Problem("tooManyAtOnce", `Your plan allows ${limit} feeds: unfollow one first.`);
}

/** @throws Problem `notFound`, `tooManyAtOnce` if it is resumed above the plan's limit */
async function changed(
  { now }: Pick<Parts, "now">,
  t: Db,
  owned: { id: string; userId: string },
  { paused, folderId }: FeedChange,
): Promise<FeedRow> {
  const before = await findFeed(t, owned);
  if (before === undefined) throw new Problem("notFound");
  if (folderId !== undefined) await requireOwnFiling(t, owned.userId, { ids: [], folderId });
  const isPaused = before.paused_at !== null;
  const goesOn = paused === false && isPaused;
  if (goesOn) {
    const active = (await listFeeds(t, owned.userId)).filter(({ paused_at }) => paused_at === null);
    await requirePlace(t, owned.userId, active.length);
  }
  const row = await changeFeed(t, owned, {
    ...(folderId !== undefined && { folder_id: folderId }),
    ...(goesOn && { paused_at: null, pause_reason: null, failures: 0, failing_since: null, next_at: now() }),
    ...(paused === true && !isPaused && { paused_at: now(), pause_reason: "owner" as const }),
  });
  if (row === undefined) throw new Problem("notFound");
  return row;
}
