import type { Generated } from "kysely";
import type { PostStatus, Reaction } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    blog_posts: BlogPostTable;
    blog_topics: BlogTopicTable;
    blog_slugs: BlogSlugTable;
    blog_reactions: BlogReactionTable;
    blog_views: BlogViewTable;
    blog_images: BlogImageTable;
    blog_image_uses: BlogImageUseTable;
  }
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
  minutes: number;
  /** Null when the author's account is deleted, or for scheduled posts. */
  author_id: string | null;
  created_at: number;
  updated_at: number;
  /** Time of the first publication; it stays when the post becomes a draft again. */
  published_at: number | null;
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

/** An uploaded image; its file in the data folder is named by its unguessable id. */
export interface BlogImageTable {
  id: string;
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

interface BlogImageUseTable {
  post_id: string;
  image_id: string;
}
