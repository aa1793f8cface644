import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { createPost, removePost } from "../../server/blog/posts.ts";
import { countOnDay, dayOf } from "../../server/db/blog-days.ts";
import { openDb } from "../../server/db/open.ts";
import { BlogAnalytics, BlogDraft } from "../../src/api/contract/index.ts";
import { type Person, read, refusal, signInAgain, signUp, startTestServer, testClock } from "./harness.ts";

const path = "/admin/blog/analytics";
const noon = Date.parse("2026-03-20T12:00:00Z");

type Server = Awaited<ReturnType<typeof startTestServer>>;

/** A superuser, without the first start's password. */
async function superuser(server: Server): Promise<Person> {
  const person = await signUp(server);
  using db = new DatabaseSync(join(server.dataDir, "parlance.db"), { timeout: 10_000 });
  db.prepare("update users set is_superuser = 1 where email = ?").run(person.email);
  return person;
}

const ask = async (person: Person, query = "") => read(await person.call("GET", `${path}${query}`), 200, BlogAnalytics);

/** The server's own code on the server's own data: posts, and what happens to them. */
async function blogOf(server: Server, clock: ReturnType<typeof testClock>) {
  const db = await openDb(server.dataDir);
  const parts = { db, now: clock.now };
  return {
    write: (draft: Partial<v.InferInput<typeof BlogDraft>>) =>
      createPost(parts, v.parse(BlogDraft, { title: "A post", content: "Text", ...draft }), { authorId: null }),
    remove: (id: string) => removePost(parts, id),
    /** As the calls of readers do. */
    happen: (id: string, change: { views?: number; likes?: number; dislikes?: number }) =>
      db.transaction().execute(async (t) => {
        const { views = 0, likes = 0, dislikes = 0 } = change;
        await t
          .updateTable("blog_posts")
          .set((eb) => ({
            views: eb("views", "+", views),
            likes: eb("likes", "+", likes),
            dislikes: eb("dislikes", "+", dislikes),
          }))
          .where("id", "=", id)
          .execute();
        await countOnDay(t, id, dayOf(clock.now()), change);
      }),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

describe("the blog in numbers", () => {
  test("an empty blog has zeros for every one of the last 30 days", async () => {
    const server = await startTestServer({ now: testClock(noon).now });
    const { overview, engagementTrends, ...lists } = await ask(await superuser(server));
    expect(new Set(Object.values(overview))).toEqual(new Set([0]));
    expect(lists).toEqual({ topPosts: [], recentActivity: [], topTopics: [] });
    expect(engagementTrends.daily).toHaveLength(30);
    expect(engagementTrends.daily.at(0)).toEqual({ date: "2026-02-19", views: 0, likes: 0, dislikes: 0 });
    expect(engagementTrends.daily.at(-1)).toEqual({ date: "2026-03-20", views: 0, likes: 0, dislikes: 0 });
  });

  test("they are those of what was written, read, liked and disliked, by day; gaps are zeros", async () => {
    const clock = testClock(noon);
    const server = await startTestServer({ now: clock.now });
    const person = await superuser(server);
    await using blog = await blogOf(server, clock);
    const known = await blog.write({ title: "Read", topics: ["Speech", "Travel"], status: "published" });
    const liked = await blog.write({ title: "Liked", topics: ["speech"], status: "published", generated: true });
    const draft = await blog.write({ title: "Draft", topics: ["speech", "secret"] });
    await blog.happen(known.id, { views: 3 });
    clock.advance(2 * 24 * 3_600_000);
    await blog.happen(known.id, { views: 4, dislikes: 1 });
    await blog.happen(liked.id, { views: 2, likes: 1 });
    await blog.happen(draft.id, { views: 1 });

    const told = await ask(await signInAgain(server, person), "?days=7");
    expect(told.overview).toEqual({
      ...{ totalPosts: 3, publishedPosts: 2, draftPosts: 1, generatedPosts: 1, manualPosts: 2 },
      ...{ totalViews: 10, totalLikes: 1, totalDislikes: 1, avgEngagementRate: 0.2 },
    });
    // 2 + 10 × 1 and 7 − 10 × 1: what drove people away is no top post, and neither is what nobody can read.
    expect(told.topPosts).toEqual([
      { id: liked.id, title: "Liked", slug: "liked", views: 2, likes: 1, dislikes: 0, engagementScore: 12 },
    ]);
    expect(told.topTopics).toEqual([
      { topic: "speech", count: 2 },
      { topic: "travel", count: 1 },
    ]);
    expect(told.engagementTrends.daily).toEqual([
      ...["2026-03-16", "2026-03-17", "2026-03-18", "2026-03-19"].map((date) => ({ date, views: 0, likes: 0, dislikes: 0 })),
      { date: "2026-03-20", views: 3, likes: 0, dislikes: 0 },
      { date: "2026-03-21", views: 0, likes: 0, dislikes: 0 },
      { date: "2026-03-22", views: 7, likes: 1, dislikes: 1 },
    ]);
    expect(told.recentActivity).toEqual([
      { type: "likes", postTitle: "Liked", postId: liked.id, count: 1, date: "2026-03-22" },
      { type: "dislikes", postTitle: "Read", postId: known.id, count: 1, date: "2026-03-22" },
      { type: "views", postTitle: "Read", postId: known.id, count: 4, date: "2026-03-22" },
      { type: "views", postTitle: "Liked", postId: liked.id, count: 2, date: "2026-03-22" },
      { type: "views", postTitle: "Draft", postId: draft.id, count: 1, date: "2026-03-22" },
      { type: "published", postTitle: "Liked", postId: liked.id, count: 1, date: "2026-03-20" },
      { type: "published", postTitle: "Read", postId: known.id, count: 1, date: "2026-03-20" },
      { type: "views", postTitle: "Read", postId: known.id, count: 3, date: "2026-03-20" },
    ]);
  });

  test("what is taken back or deleted counts no more", async () => {
    const clock = testClock(noon);
    const server = await startTestServer({ now: clock.now });
    const person = await superuser(server);
    await using blog = await blogOf(server, clock);
    const [stays, goes] = [await blog.write({ status: "published" }), await blog.write({ status: "published" })];
    await blog.happen(stays.id, { views: 5, likes: 1 });
    await blog.happen(goes.id, { views: 8, dislikes: 2 });
    await blog.happen(stays.id, { likes: -1 });
    await blog.remove(goes.id);
    const { overview, engagementTrends, recentActivity } = await ask(person, "?days=7");
    expect(overview).toMatchObject({ totalPosts: 1, totalViews: 5, totalLikes: 0, totalDislikes: 0 });
    expect(engagementTrends.daily.at(-1)).toEqual({ date: "2026-03-20", views: 5, likes: 0, dislikes: 0 });
    expect(recentActivity.map(({ type }) => type)).toEqual(["published", "views"]);
  });

  test.each(["7", "30", "90", "365"])("span %s days when asked to", async (days) => {
    const server = await startTestServer();
    const { engagementTrends } = await ask(await superuser(server), `?days=${days}`);
    expect(engagementTrends.daily).toHaveLength(Number(days));
  });

  test.each(["0", "8", "-7", "7.5", "", "all", "1e1", "100000"])("span no '%s' days", async (days) => {
    const server = await startTestServer();
    expect(await refusal(await (await superuser(server)).call("GET", `${path}?days=${days}`))).toBe("400 badRequest");
  });
});

test("the blog's numbers are refused to visitors and people without the right", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const answers = [
    await fetch(`${server.apiUrl}${path}`),
    await person.call("GET", path),
    await fetch(`${server.apiUrl}${path}?days=${randomUUID()}`, { headers: { Authorization: "Bearer a.b.c" } }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ message: "Unauthorized: Admin access required", code: "adminRequired" });
  }
});
