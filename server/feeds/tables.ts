import type { ErrorCode, FeedPauseReason, SpeechLanguage } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    feeds: FeedTable;
    feed_episodes: FeedEpisodeTable;
  }
}

export interface FeedTable {
  id: string;
  user_id: string;
  url: string;
  title: string;
  source_language: SpeechLanguage;
  target_language: string | null;
  folder_id: string | null;
  created_at: number;
  /** null: the feed is active. */
  paused_at: number | null;
  pause_reason: FeedPauseReason | null;
  /** The server's validators of the version that was read last. */
  etag: string | null;
  last_modified: string | null;
  /** Looks that failed since one last succeeded, and when the first of them did. */
  failures: number;
  failing_since: number | null;
  /** Why the last poll failed. */
  error: ErrorCode | null;
  looked_at: number | null;
  /** When the next poll is due; while it is polled, when another process may. */
  next_at: number;
}

/** An episode that is known, so that it is never taken for a new one. */
export interface FeedEpisodeTable {
  feed_id: string;
  /**
   * The key of an entry (uploads/fetching/feed.ts). From an older version: a hash of its guid, or else of its address.
   */
  key: string;
  user_id: string;
  /** "" for an episode from before the person followed the feed; its address, too. */
  title: string;
  url: string;
  /** The length according to the feed. */
  seconds: number | null;
  /** Without a date, and with one to come: when it was found. */
  published_at: number;
  found_at: number;
  /** `seen`: it was there before, and is left alone. `refused`: its address can't be fetched. */
  state: "seen" | "waiting" | "taken" | "refused";
  /** The reason why it waits or was refused. */
  reason: ErrorCode | null;
  attempts: number;
  /** When it is tried (again); while it is, when another process may. */
  next_at: number;
  transcription_id: string | null;
}
