import * as v from "valibot";

/** The possible numbers of days of the trends; today (UTC) is the last one. */
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

/** The weight of a like in a post's engagement score, and of a dislike against it, in views. */
export const viewsPerReaction = 10;

/** Views + 10 × (likes − dislikes). */
export function engagementScore({ views, likes, dislikes }: { views: number; likes: number; dislikes: number }): number {
  return views + viewsPerReaction * (likes - dislikes);
}

/** SPEC.md section 3, "Blog analytics": of all posts, whatever their status. */
export const AnalyticsOverview = v.object({
  totalPosts: count,
  totalViews: count,
  totalLikes: count,
  totalDislikes: count,
  /** (likes + dislikes) / views over all posts; 0 without views. A fraction: 0.05 is 5 %. */
  avgEngagementRate: v.number(),
  publishedPosts: count,
  draftPosts: count,
  /** Written by a language model; the others by hand. */
  generatedPosts: count,
  manualPosts: count,
});
export type AnalyticsOverview = v.InferOutput<typeof AnalyticsOverview>;

const PostId = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

/** A published post; highest score first. */
export const TopPost = v.object({
  id: PostId,
  title: v.string(),
  /** Absent when a server does not send it. */
  slug: v.optional(v.string()),
  views: count,
  likes: count,
  dislikes: v.optional(count, 0),
  engagementScore: v.number(),
});
export type TopPost = v.InferOutput<typeof TopPost>;

/** A post's activity on a day; newest first. */
export const PostActivity = v.object({
  /** "published", "views", "likes" or "dislikes"; other servers may have more. */
  type: v.string(),
  postTitle: v.string(),
  postId: v.optional(PostId),
  count,
  /** A day (UTC), "2026-03-01". */
  date: v.string(),
});
export type PostActivity = v.InferOutput<typeof PostActivity>;

/** The activity of a day (UTC) that is still valid: removed reactions are not counted. */
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
  /** The topics of the published posts, most frequent first. */
  topTopics: v.array(v.object({ topic: v.string(), count })),
  /** One entry for every day, oldest first; zeros for days without activity. */
  engagementTrends: v.object({ daily: v.array(AnalyticsDay) }),
});
export type BlogAnalytics = v.InferOutput<typeof BlogAnalytics>;
