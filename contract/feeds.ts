import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { ErrorCode } from "./error.ts";
import { SpeechLanguage, TextLanguage } from "./language.ts";

/** Most feeds that one user follows, by plan. */
export const maxFeeds = { free: 3, premium: 25 } as const;
/** Longest URL, in characters. */
export const maxFeedUrl = 2000;

const Url = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxFeedUrl));
const FolderId = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(80)));

/** POST /users/me/feeds: future episodes of the feed are transcribed, each like a URL given by hand. */
export const NewFeed = v.object({
  /** URL of an RSS, Atom or JSON feed with recordings; http or https, on the public network. */
  url: Url,
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.optional(TextLanguage),
  /** The folder for the transcripts. */
  folderId: v.optional(FolderId, null),
  /** Whether the newest existing episode is transcribed, too; older ones never are. */
  takeNewest: v.optional(v.boolean(), false),
});
export type NewFeed = v.InferInput<typeof NewFeed>;

/** PATCH /users/me/feeds/{id}: absent fields stay unchanged. `paused: false` also polls the feed at once. */
export const FeedChange = v.object({ paused: v.optional(v.boolean()), folderId: v.optional(FolderId) });
export type FeedChange = v.InferInput<typeof FeedChange>;

/**
 * Why a feed is paused: its owner paused it; it could not be read for a week; its server answered "410 Gone"; the plan
 * allows fewer feeds; or a hundred of its episodes wait.
 */
const feedPauseReasons = ["owner", "failing", "gone", "plan", "full"] as const;
const FeedPauseReason = v.picklist(feedPauseReasons);
export type FeedPauseReason = v.InferOutput<typeof FeedPauseReason>;

/** A feed that a user follows. Times are ISO 8601, UTC. */
export const Feed = v.object({
  id: v.string(),
  url: v.string(),
  /** The feed's own title; "" when it has none. */
  title: v.string(),
  createdAt: v.string(),
  sourceLanguage: v.string(),
  targetLanguage: v.nullable(v.string()),
  folderId: v.nullable(v.string()),
  /** null while it is polled. */
  paused: v.nullable(v.object({ at: v.string(), reason: v.fallback(FeedPauseReason, "owner") })),
  lookedAt: v.nullable(v.string()),
  /** null while it is paused. */
  nextAt: v.nullable(v.string()),
  /** Why the last poll failed; null if it succeeded. `notAudio`: it is not a feed with recordings. */
  error: v.nullable(v.fallback(ErrorCode, "urlUnreachable")),
  /** Failed polls since the last success. */
  failures: v.number(),
  /** Episodes handed over for transcription. */
  taken: v.number(),
  /**
   * Number of waiting episodes, and the reason as an error code (`limitReached`: minutes of the plan); null: they wait
   * for their turn.
   */
  waiting: v.number(),
  waitingFor: v.nullable(v.fallback(ErrorCode, "internal")),
  /** The episode found last. */
  newest: v.nullable(v.object({ title: v.string(), transcriptionId: v.nullable(v.string()) })),
});
export type Feed = v.InferOutput<typeof Feed>;

/**
 * GET /users/me/feeds: the oldest first, and the maximum for this user. DELETE of …/{id} unfollows a feed; its
 * transcripts stay.
 */
export const FeedsAnswer = v.object({ feeds: v.array(Feed), limit: v.number() });
export type FeedsAnswer = v.InferOutput<typeof FeedsAnswer>;
/** The response as the page accepts it. */
export const AcceptedFeeds = v.object({ feeds: acceptedRows(Feed), limit: v.fallback(v.number(), maxFeeds.free) });
