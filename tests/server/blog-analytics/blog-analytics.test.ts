import { describe, expect, test } from "vitest";
import { AdminBlogPost, BlogAnalytics, type BlogDraft } from "#contract/index.ts";
import { type Person, post, read, refusal, signInAgain, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

const path = "/admin/blog/analytics";
const noon = Date.parse("2026-03-20T12:00:00Z");
const dayMs = 24 * 3_600_000;

const ask = async (person: Person, query = "") => read(await person.call("GET", `${path}${query}`), 200, BlogAnalytics);

async function begin() {
  const clock = testClock(noon);
  const server = await startTestServer({ now: clock.now });
  const person = await signUpSuperuser(server);
  const write = async (draft: Partial<BlogDraft>) => {
    const body = { title: "A post", content: "Text", status: "published", ...draft };
    return (await read(await person.call("POST", "/admin/blog", body), 201, AdminBlogPost)).id;
  };
  /** Sends a view or reaction of each of these readers. */
  const readers = async (id: string, what: "view" | "like" | "dislike" | "remove-reaction", ...names: string[]) => {
    for (const name of names) expect((await post(server, `/blog/${id}/${what}`, { userId: `reader-${name}` })).status).toBe(200);
  };
  return { clock, server, person, write, readers };
}

describe("analytics of the blog", () => {
  test("shows zeros for each of the last 30 days when the blog is empty", async () => {
    const { person } = await begin();
    const { overview, engagementTrends, ...lists } = await ask(person);
    expect(new Set(Object.values(overview))).toEqual(new Set([0]));
    expect(lists).toEqual({ topPosts: [], recentActivity: [], topTopics: [] });
    expect(engagementTrends.daily).toHaveLength(30);
    expect(engagementTrends.daily.at(0)).toEqual({ date: "2026-02-19", views: 0, likes: 0, dislikes: 0 });
    expect(engagementTrends.daily.at(-1)).toEqual({ date: "2026-03-20", views: 0, likes: 0, dislikes: 0 });
  });

  // SPEC 3: "overview {totalPosts"
  // SPEC 3: "topPosts {id"
  // SPEC 3: "recentActivity {type"
  // SPEC 3: "topTopics {topic"
  // SPEC 3: "engagementTrends.daily"
  // SPEC 7 Blog, admin (Bearer): "GET /admin/blog/analytics"
  test("counts posts, views and reactions by day and shows zeros for days without any", async () => {
    const { clock, server, person, write, readers } = await begin();
    const known = await write({ title: "Read", topics: ["Speech", "Travel"] });
    const liked = await write({ title: "Liked", topics: ["speech"], generated: true });
    await write({ title: "Draft", topics: ["speech", "secret"], status: "draft" });
    // Two views of one reader on a day count once.
    await readers(known, "view", "ada", "bob", "cy", "ada");
    clock.advance(2 * dayMs);
    await readers(known, "view", "ada", "bob", "cy", "dan");
    await readers(known, "dislike", "dan");
    await readers(liked, "view", "ada", "bob");
    await readers(liked, "like", "bob");

    const report = await ask(await signInAgain(server, person), "?days=7");
    expect(report.overview).toEqual({
      totalPosts: 3,
      publishedPosts: 2,
      draftPosts: 1,
      generatedPosts: 1,
      manualPosts: 2,
      totalViews: 9,
      totalLikes: 1,
      totalDislikes: 1,
      avgEngagementRate: 2 / 9,
    });
    // Scores: 2 + 10 × 1, and 7 − 10 × 1. A post with a negative score is no top post.
    expect(report.topPosts).toEqual([
      { id: liked, title: "Liked", slug: "liked", views: 2, likes: 1, dislikes: 0, engagementScore: 12 },
    ]);
    expect(report.topTopics).toEqual([
      { topic: "speech", count: 2 },
      { topic: "travel", count: 1 },
    ]);
    expect(report.engagementTrends.daily).toEqual([
      ...["2026-03-16", "2026-03-17", "2026-03-18", "2026-03-19"].map((date) => ({ date, views: 0, likes: 0, dislikes: 0 })),
      { date: "2026-03-20", views: 3, likes: 0, dislikes: 0 },
      { date: "2026-03-21", views: 0, likes: 0, dislikes: 0 },
      { date: "2026-03-22", views: 6, likes: 1, dislikes: 1 },
    ]);
    const [read, other] = [
      { postTitle: "Read", postId: known },
      { postTitle: "Liked", postId: liked },
    ];
    expect(report.recentActivity.slice(0, 4)).toEqual([
      { type: "likes", ...other, count: 1, date: "2026-03-22" },
      { type: "dislikes", ...read, count: 1, date: "2026-03-22" },
      { type: "views", ...read, count: 4, date: "2026-03-22" },
      { type: "views", ...other, count: 2, date: "2026-03-22" },
    ]);
    expect(report.recentActivity.slice(4)).toHaveLength(3);
    expect(report.recentActivity.slice(4)).toEqual(
      expect.arrayContaining([
        { type: "published", ...other, count: 1, date: "2026-03-20" },
        { type: "published", ...read, count: 1, date: "2026-03-20" },
        { type: "views", ...read, count: 3, date: "2026-03-20" },
      ]),
    );
  });

  test("subtracts removed reactions and deleted posts on the day they were counted", async () => {
    const { clock, server, person, write, readers } = await begin();
    const [stays, goes] = [await write({ title: "Stays" }), await write({ title: "Goes" })];
    await readers(stays, "view", "ada", "bob");
    await readers(stays, "like", "ada", "bob");
    await readers(goes, "view", "ada", "bob", "cy");
    await readers(goes, "dislike", "ada");
    clock.advance(dayMs);
    await readers(stays, "remove-reaction", "ada");
    const later = await signInAgain(server, person);
    expect((await later.call("DELETE", `/admin/blog/${goes}`)).ok).toBe(true);
    const { overview, engagementTrends, recentActivity } = await ask(later, "?days=7");
    expect(overview).toMatchObject({ totalPosts: 1, totalViews: 2, totalLikes: 1, totalDislikes: 0 });
    expect(engagementTrends.daily.slice(-2)).toEqual([
      { date: "2026-03-20", views: 2, likes: 1, dislikes: 0 },
      { date: "2026-03-21", views: 0, likes: 0, dislikes: 0 },
    ]);
    expect(recentActivity.map(({ type }) => type).sort()).toEqual(["likes", "published", "views"]);
  });

  test("accepts only 7, 30, 90 or 365 days", async () => {
    const { person } = await begin();
    for (const days of [7, 30, 90, 365]) {
      expect((await ask(person, `?days=${days}`)).engagementTrends.daily).toHaveLength(days);
    }
    for (const days of ["0", "8", "-7", "7.5", "", "all", "1e1", "100000"]) {
      expect(await refusal(await person.call("GET", `${path}?days=${days}`)), days).toBe("400 badRequest");
    }
  });
});

// SPEC 6: "Admin blog calls answer 401 'Unauthorized: Admin access required'"
test("refuses the analytics to visitors and ordinary users", async () => {
  const { server } = await begin();
  const answers = [
    await fetch(`${server.apiUrl}${path}`),
    await (await signUp(server)).call("GET", path),
    await fetch(`${server.apiUrl}${path}?days=8`, { headers: { Authorization: "Bearer a.b.c" } }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ message: "Unauthorized: Admin access required", code: "adminRequired" });
  }
});
