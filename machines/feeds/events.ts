import type { Feed, FeedChange, Folder, NewFeed } from "#contract/index.ts";
import type { CollectionEvent, Listed } from "#machines/collection/events.ts";

/** A person's feeds, how many they may follow, and where transcripts can go. */
export interface KnownFeeds extends Listed<Feed> {
  limit: number;
  folders: readonly Folder[];
}

/** What a person's feeds are made of. */
export interface FeedTypes {
  known: KnownFeeds;
  draft: NewFeed;
  change: FeedChange;
  secret: null;
}

export type FeedsEvent = CollectionEvent<FeedTypes>;
