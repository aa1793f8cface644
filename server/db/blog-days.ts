import type { Db } from "./open.ts";
import type { BlogDayTable } from "./schema-blog.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** The day of a moment, in UTC: "2026-03-01". @param at epoch ms */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Today and the `count - 1` days before it (UTC), oldest first. @param now epoch ms */
export function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * dayMs));
}

/** Adds to what happened to a post on a day; what is negative is taken back. To be called in the transaction that makes it so. */
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
}
