import { sql } from "kysely";
import {
  type AnalyticsOverview,
  type AnalyticsRange,
  type BlogAnalytics,
  engagementScore,
  type PostActivity,
  type TopPost,
  viewsPerReaction,
} from "#contract/index.ts";
import { dayOf, lastDays } from "#server/days.ts";
import type { Db } from "#server/db/open.ts";

const topPostsMost = 10;
const topTopicsMost = 10;
/** Of each kind, so that a day's thousand views don't hide its two likes. */
const activitiesOfAKind = 4;

/**
 * The blog in numbers (SPEC.md section 3, "Blog analytics"), from what was recorded. What each number means stands in the contract.
 * @param days of the trends
 */
export async function analyseBlog({ db, now }: { db: Db; now: () => number }, days: AnalyticsRange): Promise<BlogAnalytics> {
  return {
    overview: await overview(db),
    topPosts: await topPosts(db),
    recentActivity: await recentActivity(db),
    topTopics: await topTopics(db),
    engagementTrends: { daily: await daily(db, lastDays(now(), days)) },
  };
}

async function overview(db: Db): Promise<AnalyticsOverview> {
  const groups = await db
    .selectFrom("blog_posts")
    .select((eb) => [
      "status",
      "generated",
      eb.fn.countAll<number>().as("posts"),
      eb.fn.sum<number>("views").as("views"),
      eb.fn.sum<number>("likes").as("likes"),
      eb.fn.sum<number>("dislikes").as("dislikes"),
    ])
    .groupBy(["status", "generated"])
    .execute();
  const sumOf = (column: "posts" | "views" | "likes" | "dislikes", of = groups) =>
    of.reduce((sum, group) => sum + Number(group[column]), 0);
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

/** Published posts that have won somebody over, by `engagementScore`. */
async function topPosts(db: Db): Promise<TopPost[]> {
  const score = sql<number>`views + ${sql.lit(viewsPerReaction)} * (likes - dislikes)`;
  // An index has all of this; the texts' rows are read for the few that are told.
  const best = await db
    .selectFrom("blog_posts")
    .select(["id", "views", "likes", "dislikes"])
    .where("status", "=", "published")
    .where(score, ">", 0)
    .orderBy(score, "desc")
    .orderBy("views", "desc")
    .orderBy("id")
    .limit(topPostsMost)
    .execute();
  const names = await namesOf(
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

/** What was published, read, liked and disliked last, the newest day first, on a day what happened most often. */
async function recentActivity(db: Db): Promise<PostActivity[]> {
  const counted = [...(await lastCounts(db, "likes")), ...(await lastCounts(db, "dislikes")), ...(await lastCounts(db, "views"))];
  const names = await namesOf(
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
  const posts = await db
    .selectFrom("blog_posts")
    .select(["id", "title", "published_at"])
    .where("status", "=", "published")
    .where("published_at", "is not", null)
    .orderBy("published_at", "desc")
    .limit(activitiesOfAKind)
    .execute();
  return posts.map(({ id, title, published_at }) => ({
    ...{ type: "published", postTitle: title, postId: id, count: 1 },
    date: dayOf(published_at ?? 0),
  }));
}

async function lastCounts(
  db: Db,
  type: "views" | "likes" | "dislikes",
): Promise<{ type: string; postId: string; count: number; date: string }[]> {
  return (
    db
      .selectFrom("blog_days")
      .select(["post_id as postId", `${type} as count`, "day as date"])
      .select(sql.lit<string>(type).as("type"))
      // Written into the statement, so that it is seen to be what the indexes of reactions hold.
      .where(type, ">", sql.lit(0))
      .orderBy("day", "desc")
      .orderBy(type, "desc")
      .limit(activitiesOfAKind)
      .execute()
  );
}

async function namesOf(db: Db, ids: readonly string[]): Promise<Map<string, { title: string; slug: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("blog_posts").select(["id", "title", "slug"]).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function topTopics(db: Db): Promise<BlogAnalytics["topTopics"]> {
  const counted = await db
    .selectFrom("blog_topics")
    .select((eb) => ["topic", eb.fn.countAll<number>().as("count")])
    .where("post_id", "not in", (eb) => eb.selectFrom("blog_posts").select("id").where("status", "=", "draft"))
    .groupBy("topic")
    .orderBy("count", "desc")
    .orderBy("topic")
    .limit(topTopicsMost)
    .execute();
  return counted.map(({ topic, count }) => ({ topic, count: Number(count) }));
}

async function daily(db: Db, days: readonly string[]): Promise<BlogAnalytics["engagementTrends"]["daily"]> {
  const sums = await db
    .selectFrom("blog_day_sums")
    .selectAll()
    .where("day", ">=", days[0] ?? "")
    .execute();
  const byDay = new Map(sums.map((sum) => [sum.day, sum]));
  return days.map((date) => {
    const { views = 0, likes = 0, dislikes = 0 } = byDay.get(date) ?? {};
    return { date, views, likes, dislikes };
  });
}
