declare module "#server/db/schema.ts" {
  interface Schema {
    blog_days: BlogDayTable;
    blog_day_sums: BlogDaySumTable;
  }
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

/** All posts' figures on a day: the sums of blog_days. */
export type BlogDaySumTable = Omit<BlogDayTable, "post_id">;
