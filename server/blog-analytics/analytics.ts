import {
  type AnalyticsOverview,
  type AnalyticsRange,
  type BlogAnalytics,
  engagementScore,
  type PostActivity,
  type TopPost,
} from "#contract/index.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { dayOf, lastDays } from "#server/metrics/days.ts";
import {
  findPostNames,
  listDaySums,
  listLastCounts,
  listLastPublished,
  listTopPosts,
  listTopTopics,
  sumPostsByKind,
} from "./report-queries.ts";

const maxTopPosts = 10;
const maxTopTopics = 10;
/** Limit per kind, so that a day's thousand views don't hide its two likes. */
const activitiesOfAKind = 4;

/**
 * The blog's metrics (SPEC.md section 3, "Blog analytics"), from recorded events. The contract defines each number.
 * @param days of the trends
 */
export async function analyseBlog({ db, now }: DbParts, days: AnalyticsRange): Promise<BlogAnalytics> {
  return {
    overview: await overview(db),
    topPosts: await topPosts(db),
    recentActivity: await recentActivity(db),
    topTopics: await listTopTopics(db, maxTopTopics),
    engagementTrends: { daily: await daily(db, lastDays(now(), days)) },
  };
}

async function overview(db: Db): Promise<AnalyticsOverview> {
  const groups = await sumPostsByKind(db);
  const sumOf = (column: "posts" | "views" | "likes" | "dislikes", of = groups) =>
    of.reduce((sum, group) => sum + group[column], 0);
  const [totalPosts, totalViews, totalLikes, totalDislikes] = [sumOf("posts"), sumOf("views"), sumOf("likes"), sumOf("dislikes")];
  const publishedPosts = sumOf(
    "posts",
    groups.filter(({ status }) => status === "published"),
  );
  const generatedPosts = sumOf(
    "posts",
    groups.filter(({ generated }) => generated === 1),
  );
  return {
    totalPosts,
    totalViews,
    totalLikes,
    totalDislikes,
    avgEngagementRate: totalViews === 0 ? 0 : (totalLikes + totalDislikes) / totalViews,
    publishedPosts,
    draftPosts: totalPosts - publishedPosts,
    generatedPosts,
    manualPosts: totalPosts - generatedPosts,
  };
}

async function topPosts(db: Db): Promise<TopPost[]> {
  const best = await listTopPosts(db, maxTopPosts);
  const names = await findPostNames(
    db,
    best.map(({ id }) => id),
  );
  return best.map((post) => ({
    ...post,
    title: names.get(post.id)?.title ?? "",
    slug: names.get(post.id)?.slug,
    engagementScore: engagementScore(post),
  }));
}

/** Recent publications, views and reactions, the newest day first, within a day the most frequent first. */
async function recentActivity(db: Db): Promise<PostActivity[]> {
  const lastCounts = (type: "views" | "likes" | "dislikes") => listLastCounts(db, type, activitiesOfAKind);
  const counted = [...(await lastCounts("likes")), ...(await lastCounts("dislikes")), ...(await lastCounts("views"))];
  const names = await findPostNames(
    db,
    counted.map(({ postId }) => postId),
  );
  const activities = [
    ...(await lastPublished(db)),
    ...counted.map((one) => ({ ...one, postTitle: names.get(one.postId)?.title ?? "" })),
  ];
  return activities.sort((one, other) => other.date.localeCompare(one.date, "en"));
}

async function lastPublished(db: Db): Promise<PostActivity[]> {
  const posts = await listLastPublished(db, activitiesOfAKind);
  return posts.map(({ id, title, published_at }) => ({
    type: "published",
    postTitle: title,
    postId: id,
    count: 1,
    date: dayOf(published_at ?? 0),
  }));
}

async function daily(db: Db, days: readonly string[]): Promise<BlogAnalytics["engagementTrends"]["daily"]> {
  const sums = await listDaySums(db, days[0] ?? "");
  const byDay = new Map(sums.map((sum) => [sum.day, sum]));
  return days.map((date) => {
    const { views = 0, likes = 0, dislikes = 0 } = byDay.get(date) ?? {};
    return { date, views, likes, dislikes };
  });
}
