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
  /** JSON: string[], in order of entry. */
  topics: string;
  language: string;
  status: PostStatus;
  generated: number;
  /** JSON: BlogImage; null for none. */
  cover: string | null;
  /** Reading time. */
  minutes: number;
  /** Null when the author's account is deleted, or for scheduled posts. */
  author_id: string | null;
  created_at: number;
  updated_at: number;
  /** Time of the first publication; kept when it becomes a draft again. */
  published_at: number | null;
  /** Incremented by every change. */
  revision: number;
  /** Sums of blog_reactions and blog_days, so that lists need not count. */
  likes: number;
  dislikes: number;
  views: number;
  /** The title in lower case, for the search. */
  haystack: Generated<string>;
}

/** A post's topics, for the search. */
interface BlogTopicTable {
  post_id: string;
  /** In lower case. */
  topic: string;
}

/** Former slugs of a post, which redirect to it. */
interface BlogSlugTable {
  slug: string;
  post_id: string;
}

interface BlogReactionTable {
  post_id: string;
  /** SHA-256 of post and reader, hex: one each; a reader's reactions to different posts can't be linked. */
  reader: string;
  reaction: Reaction;
  created_at: number;
  /** Hash of the day and the network; null once the day is over. */
  network: string | null;
}

/** A post's readers on a day (UTC), so that each counts once a day. */
interface BlogViewTable {
  post_id: string;
  /** SHA-256 of post, day and reader, hex. */
  reader: string;
  created_at: number;
}

/** A post's numbers on a day (UTC): the source of the analytics. */
export interface BlogDayTable {
  post_id: string;
  /** "2026-03-01" */
  day: string;
  views: number;
  /** Likes given that day and not withdrawn. */
  likes: number;
  dislikes: number;
}

/** All posts' numbers on a day: the sums of blog_days. */
export type BlogDaySumTable = Omit<BlogDayTable, "post_id">;

/** An uploaded image; its file in the data folder is named by its unguessable id. */
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
  /** Since when no post uses it; null while one does. */
  idle_since: number | null;
}

/** Which post uses which uploaded image. */
interface BlogImageUseTable {
  post_id: string;
  image_id: string;
}

/** Scheduled posting: one row, whose `id` is 1. */
export interface BlogScheduleTable {
  id: number;
  /** The cron expression that `next_at` was computed from; "" without a schedule. */
  expression: string;
  next_at: number | null;
  /** The scheduled time to skip. */
  skip_at: number | null;
  /** Runs that have posted, and those that were skipped: `blog_runs` is pruned. */
  posted: number;
  skipped: number;
}

/** A run of scheduled posting. */
export interface BlogRunTable {
  /** Derived from the scheduled time, so that there can't be two runs for the same. */
  id: string;
  origin: "schedule" | "person";
  due_at: number;
  started_at: number;
  finished_at: number | null;
  outcome: RunOutcome;
  reason: RunReason | null;
  /** The error message, in English. */
  message: string | null;
  /** The post it published, as it was then. */
  post_id: string | null;
  post_slug: string | null;
  post_title: string | null;
  /** How often a process has started it: only the last one to do so may finish it. */
  attempt: number;
  /** The lease of the process that has started it. */
  lease_until: number;
}
