import { type BlogAnalytics, engagementScore } from "#contract/index.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Views, likes and dislikes of a made-up week. */
const week = [
  [42, 5, 0],
  [58, 7, 1],
  [51, 4, 0],
  [73, 9, 1],
  [66, 8, 2],
  [91, 12, 1],
  [84, 10, 0],
] as const;
const posts = [
  [190, 24, 1],
  [155, 18, 3],
  [120, 13, 1],
] as const;

/**
 * SPEC.md section 8: sample data (7 daily entries) for a server without data. Every text marks itself as a sample.
 * @param now epoch ms
 * @param text the sample's texts in the user's language
 */
export function sampleAnalytics(now: number, text: (key: "post" | "topic", n: number) => string): BlogAnalytics {
  const daily = week.map(([views, likes, dislikes], index) => ({
    views,
    likes,
    dislikes,
    date: new Date(now - (week.length - 1 - index) * dayMs).toISOString().slice(0, 10),
  }));
  const today = daily.at(-1)?.date ?? "";
  const sumOf = (column: "views" | "likes" | "dislikes") => daily.reduce((sum, day) => sum + day[column], 0);
  const [totalViews, totalLikes, totalDislikes] = [sumOf("views"), sumOf("likes"), sumOf("dislikes")];
  return {
    overview: {
      totalViews,
      totalLikes,
      totalDislikes,
      avgEngagementRate: (totalLikes + totalDislikes) / totalViews,
      totalPosts: 4,
      publishedPosts: 3,
      draftPosts: 1,
      generatedPosts: 2,
      manualPosts: 2,
    },
    topPosts: posts.map(([views, likes, dislikes], index) => ({
      id: `sample-${index + 1}`,
      title: text("post", index + 1),
      views,
      likes,
      dislikes,
      engagementScore: engagementScore({ views, likes, dislikes }),
    })),
    recentActivity: [
      { type: "views", postTitle: text("post", 1), count: 38, date: today },
      { type: "likes", postTitle: text("post", 1), count: 6, date: today },
      { type: "published", postTitle: text("post", 2), count: 1, date: daily[0]?.date ?? today },
    ],
    topTopics: [
      { topic: text("topic", 1), count: 3 },
      { topic: text("topic", 2), count: 2 },
    ],
    engagementTrends: { daily },
  };
}
