import * as v from "valibot";

/** How many days the trends may span; today (UTC) is the last of them. */
export const analyticsRanges = [7, 30, 90, 365] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];
export const analyticsRangeDefault: AnalyticsRange = 30;

/** The query of GET /admin/blog/analytics. */
export const AnalyticsQuery = v.object({
  days: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.picklist(analyticsRanges)),
    String(analyticsRangeDefault),
  ),
});

const count = v.number();

/** What a post's engagement score counts a like for, and a dislike against it, in views. */
export const viewsPerReaction = 10;

/** Views + 10 × (likes − dislikes): a like weighs as much as ten views, a dislike takes as many away. */
export function engagementScore({ views, likes, dislikes }: { views: number; likes: number; dislikes: number }): number {
  return views + viewsPerReaction * (likes - dislikes);
}

/** SPEC.md section 3, "Blog analytics": of all posts, whatever their status. */
export const AnalyticsOverview = v.object({
  totalPosts: count,
  totalViews: count,
  totalLikes: count,
  totalDislikes: count,
  /** (likes + dislikes) / views over all posts; 0 without a view. A fraction: 0.05 is 5 %. */
  avgEngagementRate: v.number(),
  publishedPosts: count,
  draftPosts: count,
  /** Written by a language model; the others by hand. */
  generatedPosts: count,
  manualPosts: count,
});
export type AnalyticsOverview = v.InferOutput<typeof AnalyticsOverview>;

const PostId = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

/** A published post; those with the highest score come first. */
export const TopPost = v.object({
  id: PostId,
  title: v.string(),
  /** Absent where a server does not say. */
  slug: v.optional(v.string()),
  views: count,
  likes: count,
  dislikes: v.optional(count, 0),
  /** See `engagementScore`. */
  engagementScore: v.number(),
});
export type TopPost = v.InferOutput<typeof TopPost>;

/** What happened to a post on a day; the newest first. */
export const PostActivity = v.object({
  /** "published", "views", "likes" or "dislikes"; another server may have more. */
  type: v.string(),
  postTitle: v.string(),
  postId: v.optional(PostId),
  count,
  /** A day (UTC), "2026-03-01". */
  date: v.string(),
});
export type PostActivity = v.InferOutput<typeof PostActivity>;

/** What was recorded on a day (UTC) and still stands: a reaction that was taken back counts no more. */
export const AnalyticsDay = v.object({
  /** "2026-03-01" */
  date: v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d\d-\d\d/),
    v.transform((date) => date.slice(0, 10)),
  ),
  views: count,
  likes: count,
  dislikes: v.optional(count, 0),
});
export type AnalyticsDay = v.InferOutput<typeof AnalyticsDay>;

/** GET /admin/blog/analytics */
export const BlogAnalytics = v.object({
  overview: AnalyticsOverview,
  topPosts: v.array(TopPost),
  recentActivity: v.array(PostActivity),
  /** Of the published posts, how many are about what; the most frequent first. */
  topTopics: v.array(v.object({ topic: v.string(), count })),
  /** One entry for every day, the oldest first; days without anything are zeros. */
  engagementTrends: v.object({ daily: v.array(AnalyticsDay) }),
});
export type BlogAnalytics = v.InferOutput<typeof BlogAnalytics>;
