import type { Generated } from "kysely";
import type { PostStatus, Reaction, RunOutcome, RunReason } from "#contract/index.ts";

/** The blog's tables. Times are epoch milliseconds, flags are 0 or 1. */
export interface BlogSchema {
  blog_posts: BlogPostTable;
  blog_topics: BlogTopicTable;
  blog_slugs: BlogSlugTable;
  blog_reactions: BlogReactionTable;
  blog_views: BlogViewTable;
  blog_days: BlogDayTable;
  blog_day_sums: BlogDaySumTable;
  blog_images: BlogImageTable;
  blog_image_uses: BlogImageUseTable;
  blog_schedule: BlogScheduleTable;
  blog_runs: BlogRunTable;
}

export interface BlogPostTable {
  id: string;
  slug: string;
  title: string;
  summary: string;
  /** Markdown. */
  content: string;
  /** JSON: string[], in the order in which they were entered. */
  topics: string;
  language: string;
  status: PostStatus;
  generated: number;
  /** JSON: BlogImage; null for none. */
  cover: string | null;
  /** Reading time. */
  minutes: number;
  /** Null when whoever wrote it has gone, or it was posted by the schedule. */
  author_id: string | null;
  created_at: number;
  updated_at: number;
  /** Of the first publication; stays when it becomes a draft again. */
  published_at: number | null;
  /** Goes up with every change. */
  revision: number;
  /** The sums of blog_reactions and blog_days, so that lists need not count. */
  likes: number;
  dislikes: number;
  views: number;
  /** The title in lower case: what the search looks through. */
  haystack: Generated<string>;
}

/** A post's topics once more, to search by. */
export interface BlogTopicTable {
  post_id: string;
  /** In lower case. */
  topic: string;
}

/** Addresses that a post had before: they lead to it still. */
export interface BlogSlugTable {
  slug: string;
  post_id: string;
}

export interface BlogReactionTable {
  post_id: string;
  /** SHA-256 of post and reader, hex: one each, and nobody can see what else a reader has liked. */
  reader: string;
  reaction: Reaction;
  created_at: number;
  /** Hash of the day and of the network that it came from; null once the day is over. */
  network: string | null;
}

/** Who has read what on a day (UTC), so that each counts once a day. */
export interface BlogViewTable {
  post_id: string;
  /** SHA-256 of post, day and reader, hex. */
  reader: string;
  created_at: number;
}

/** What happened to a post on a day (UTC): the analytics are made of this. */
export interface BlogDayTable {
  post_id: string;
  /** "2026-03-01" */
  day: string;
  views: number;
  /** Those that were given that day and still stand. */
  likes: number;
  dislikes: number;
}

/** What happened on a day to all posts together: the sums of blog_days. */
export type BlogDaySumTable = Omit<BlogDayTable, "post_id">;

/** A picture that was uploaded; its file is in the data folder under its id, which nobody can guess. */
export interface BlogImageTable {
  id: string;
  /** Content type. */
  type: string;
  width: number;
  height: number;
  /** In bytes. */
  size: number;
  user_id: string | null;
  created_at: number;
  /** Since when no post shows it; null while one does. */
  idle_since: number | null;
}

/** Which post shows which of our pictures. */
export interface BlogImageUseTable {
  post_id: string;
  image_id: string;
}

/** Scheduled posting: one row, whose `id` is 1. */
export interface BlogScheduleTable {
  id: number;
  /** What `next_at` was made from; "" while there is no schedule. */
  expression: string;
  next_at: number | null;
  /** The due time that is to be skipped. */
  skip_at: number | null;
  /** Runs that have posted, and those that were skipped: those of `blog_runs` are forgotten in time. */
  posted: number;
  skipped: number;
}

/** A run of scheduled posting. */
export interface BlogRunTable {
  /** Made from the due time for one of the schedule, so that there can't be two for the same. */
  id: string;
  origin: "schedule" | "person";
  due_at: number;
  started_at: number;
  finished_at: number | null;
  outcome: RunOutcome;
  reason: RunReason | null;
  /** What went wrong, in English. */
  message: string | null;
  /** What it has posted, as it was then. */
  post_id: string | null;
  post_slug: string | null;
  post_title: string | null;
  /** How often a process has begun it: who has begun it last may finish it. */
  attempt: number;
  /** Until then it belongs to the process that has begun it. */
  lease_until: number;
}
