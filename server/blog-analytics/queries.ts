import type { Db } from "#server/db/open.ts";
import type { BlogDaySumTable, BlogDayTable } from "./tables.ts";

/**
 * Adds to the counts of a post on a day, and to the sums of that day; negative numbers undo earlier ones. Call it in
 * the transaction of the counted change.
 */
export async function countOnDay(
  db: Db,
  postId: string,
  day: string,
  { views = 0, likes = 0, dislikes = 0 }: Partial<Pick<BlogDayTable, "views" | "likes" | "dislikes">>,
): Promise<void> {
  await db
    .insertInto("blog_days")
    .values({ post_id: postId, day, views, likes, dislikes })
    .onConflict((conflict) =>
      conflict.columns(["day", "post_id"]).doUpdateSet((eb) => ({
        views: eb("blog_days.views", "+", views),
        likes: eb("blog_days.likes", "+", likes),
        dislikes: eb("blog_days.dislikes", "+", dislikes),
      })),
    )
    .execute();
  await addToSum(db, { day, views, likes, dislikes });
}

/**
 * Subtracts posts that are about to be deleted from the sums of the days; their own counts are deleted with them. Call
 * it in the transaction that deletes them.
 */
export async function uncountPosts(db: Db, postIds: readonly string[]): Promise<void> {
  if (postIds.length === 0) return;
  const gone = await db
    .selectFrom("blog_days")
    .select((eb) => [
      "day",
      eb.fn.sum<number>("views").as("views"),
      eb.fn.sum<number>("likes").as("likes"),
      eb.fn.sum<number>("dislikes").as("dislikes"),
    ])
    .where("post_id", "in", postIds)
    .groupBy("day")
    .execute();
  for (const { day, views, likes, dislikes } of gone) {
    await addToSum(db, { day, views: -Number(views), likes: -Number(likes), dislikes: -Number(dislikes) });
  }
}

async function addToSum(db: Db, { day, views, likes, dislikes }: BlogDaySumTable): Promise<void> {
  await db
    .insertInto("blog_day_sums")
    .values({ day, views, likes, dislikes })
    .onConflict((conflict) =>
      conflict.column("day").doUpdateSet((eb) => ({
        views: eb("blog_day_sums.views", "+", views),
        likes: eb("blog_day_sums.likes", "+", likes),
        dislikes: eb("blog_day_sums.dislikes", "+", dislikes),
      })),
    )
    .execute();
}
