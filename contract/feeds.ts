import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { ErrorCode } from "./error.ts";
import { SpeechLanguage, TextLanguage } from "./language.ts";

/** Feeds that one person follows, by plan. */
export const maxFeeds = { free: 3, premium: 25 } as const;
/** Longest address, in characters. */
export const maxFeedUrl = 2000;

const Url = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxFeedUrl));
const FolderId = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(80)));

/** POST /users/me/feeds: its episodes from now on are transcribed, each as an address that is given by hand. */
export const NewFeed = v.object({
  /** Of an RSS, Atom or JSON feed with recordings; http or https, on the public network. */
  url: Url,
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.optional(TextLanguage),
  /** Where the transcripts go. */
  folderId: v.optional(FolderId, null),
  /** Whether the newest episode that is there already is transcribed, too; older ones never are. */
  takeNewest: v.optional(v.boolean(), false),
});
export type NewFeed = v.InferInput<typeof NewFeed>;

/** PATCH /users/me/feeds/{id}: what is absent stays as it is. `paused: false` also looks at once. */
export const FeedChange = v.object({ paused: v.optional(v.boolean()), folderId: v.optional(FolderId) });
export type FeedChange = v.InferInput<typeof FeedChange>;

/**
 * Why it is not looked at: its owner wanted that; it could not be read for a week; its server said "410 Gone"; the plan has fewer
 * feeds; or a hundred of its episodes wait.
 */
const feedPauseReasons = ["owner", "failing", "gone", "plan", "full"] as const;
const FeedPauseReason = v.picklist(feedPauseReasons);
export type FeedPauseReason = v.InferOutput<typeof FeedPauseReason>;

/** A feed that somebody follows. Times are ISO 8601, UTC. */
export const Feed = v.object({
  id: v.string(),
  url: v.string(),
  /** As the feed says it; "" when it has none. */
  title: v.string(),
  createdAt: v.string(),
  sourceLanguage: v.string(),
  targetLanguage: v.nullable(v.string()),
  folderId: v.nullable(v.string()),
  /** null: it is looked at. */
  paused: v.nullable(v.object({ at: v.string(), reason: v.fallback(FeedPauseReason, "owner") })),
  lookedAt: v.nullable(v.string()),
  /** null while it is paused. */
  nextAt: v.nullable(v.string()),
  /** Why the last look failed; null: it did not. `notAudio`: there is no feed with recordings. */
  error: v.nullable(v.fallback(ErrorCode, "urlUnreachable")),
  /** Looks that failed since one last succeeded. */
  failures: v.number(),
  /** Episodes that were given to be transcribed. */
  taken: v.number(),
  /** Episodes that wait for it, and what for, as an error code (`limitReached`: minutes of the plan); null: for their turn. */
  waiting: v.number(),
  waitingFor: v.nullable(v.fallback(ErrorCode, "internal")),
  /** The one found last. */
  newest: v.nullable(v.object({ title: v.string(), transcriptionId: v.nullable(v.string()) })),
});
export type Feed = v.InferOutput<typeof Feed>;

/** GET /users/me/feeds: the oldest first, and how many the person may follow. DELETE of …/{id} unfollows one; its transcripts stay. */
export const FeedsAnswer = v.object({ feeds: v.array(Feed), limit: v.number() });
export type FeedsAnswer = v.InferOutput<typeof FeedsAnswer>;
/** As the page accepts it. */
export const AcceptedFeeds = v.object({ feeds: acceptedRows(Feed), limit: v.fallback(v.number(), maxFeeds.free) });
