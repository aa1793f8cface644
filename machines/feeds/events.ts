import type { Feed, FeedChange, Folder, NewFeed } from "#contract/index.ts";
import type { CollectionEvent, Listed } from "#machines/collection/events.ts";

/** A person's feeds, the limit of their plan, and the folders for transcripts. */
export interface KnownFeeds extends Listed<Feed> {
  limit: number;
  folders: readonly Folder[];
}

/** The types of the feeds' list. */
export interface FeedTypes {
  known: KnownFeeds;
  draft: NewFeed;
  change: FeedChange;
  secret: null;
}

export type FeedsEvent = CollectionEvent<FeedTypes>;
