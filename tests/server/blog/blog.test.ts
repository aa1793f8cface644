import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { BlogSummary, ReactionAnswer } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { post, read, refusal, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { listed, message, publish, readPost, titles, write } from "./posts.ts";

const reader = "reader-0001";
const dayMs = 24 * 60 * 60 * 1000;

async function setUp() {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  return { clock, server, superuser: await signUpSuperuser(server) };
}

function daysOf(dataDir: string) {
  using db = openSql(dataDir);
  return db
    .prepare("select day, views, likes, dislikes from blog_days order by day")
    .all()
    .map((row) => ({ ...row }));
}

const refusalOrStatus = (answer: Response) => (answer.ok ? String(answer.status) : refusal(answer));

describe("list of posts", () => {
  // SPEC 7 Blog, public: "GET /blog with optional query page, limit, topics (comma-joined), language, generated."
  // SPEC 3: "Blog list response: posts, total, page, totalPages."
  test("lists posts in pages, newest first, and is empty at first", async () => {
    const { clock, server, superuser } = await setUp();
    expect(await listed(server)).toEqual({ posts: [], total: 0, page: 1, totalPages: 1, facets: { topics: [], languages: [] } });
    for (const title of ["One", "Two", "Three"]) {
      await publish(superuser, { title });
      clock.advance(1000);
    }
    expect(await titles(server)).toEqual(["Three", "Two", "One"]);
    expect(await listed(server, "?page=2&limit=2")).toMatchObject({
      posts: [{ title: "One" }],
      total: 3,
      page: 2,
      totalPages: 2,
    });
    expect(await titles(server, "?page=9&limit=2")).toEqual([]);
  });

  // SPEC 7 Blog, public: "GET /blog/{slug}."
  test("hides drafts and posts that became drafts again", async () => {
    const { server, superuser } = await setUp();
    await write(superuser, { title: "Draft" });
    const { id, slug } = await publish(superuser, { title: "Withdrawn", topics: ["Gone"] });
    await superuser.call("PUT", `/admin/blog/${id}`, { status: "draft" });
    expect(await listed(server)).toMatchObject({ posts: [], facets: { topics: [], languages: [] } });
    expect(await message(await fetch(`${server.apiUrl}/blog/${slug}`))).toBe("Blog post not found");
    expect((await fetch(`${server.apiUrl}/blog/draft`)).status).toBe(404);
    expect(await read(await fetch(`${server.apiUrl}/blog/popular`), 200, v.array(BlogSummary))).toEqual([]);
    for (const reaction of ["like", "view"]) {
      expect(await refusal(await post(server, `/blog/${id}/${reaction}`, { userId: reader }))).toBe("404 notFound");
    }
  });

  // SPEC 7 Blog, public: "GET /blog with optional query page, limit, topics (comma-joined), language, generated."
  test("filters posts by topic, language and whether they are generated, ignoring the topic's case", async () => {
    const { server, superuser } = await setUp();
    await publish(superuser, { title: "A", topics: ["Speech", "GDPR"] });
    await publish(superuser, { title: "B", topics: ["speech"], language: "pt-BR" });
    await publish(superuser, { title: "C", topics: ["Übersetzung"], language: "de", generated: true });
    const found = async (query: string) => (await titles(server, query)).toSorted();
    expect(await found("?topics=SPEECH")).toEqual(["A", "B"]);
    expect(await found("?topics=gdpr,%C3%9Cbersetzung")).toEqual(["A", "C"]);
    expect(await found("?topics=speech&language=pt-BR")).toEqual(["B"]);
    expect(await found("?generated=true")).toEqual(["C"]);
    expect(await found("?generated=false")).toEqual(["A", "B"]);
    expect(await found("?topics=&language=&generated=&page=&limit=")).toEqual(["A", "B", "C"]);
    const { facets } = await listed(server);
    expect(facets?.topics).toContainEqual({ topic: "GDPR", count: 1 });
    expect(facets?.topics[0]).toMatchObject({ count: 2 });
    expect(facets?.languages).toContainEqual({ language: "de", count: 1 });
  });

  test("lists posts in the reader's language first, each group newest first", async () => {
    const { clock, server, superuser } = await setUp();
    for (const [title, language] of [
      ["A", "pt"],
      ["B", "en"],
      ["C", "pt-BR"],
      ["D", "de"],
    ] as const) {
      await publish(superuser, { title, language });
      clock.advance(1000);
    }
    expect(await titles(server, "?first=pt-BR")).toEqual(["C", "A", "D", "B"]);
    expect(await titles(server, "?first=pt-BR&limit=3&page=2")).toEqual(["B"]);
    expect(await titles(server, "?first=fr")).toEqual(["D", "C", "B", "A"]);
  });

  // SPEC 7 Blog, public: "GET /blog with optional query page, limit, topics (comma-joined), language, generated."
  test.each([
    ["?page=0", "page: must be a whole number"],
    ["?page=1.5", "page: must be a whole number"],
    ["?page=99999999999", "page: must be a whole number"],
    ["?limit=101", "limit: must be a whole number from 1 to 100"],
    ["?limit=-1", "limit: must be a whole number"],
    ["?language=english", "language: must be a language code"],
    ["?first=english", "first: must be a language code"],
    ["?generated=yes", "generated: must be true or false"],
    [`?topics=${Array.from({ length: 11 }, (_, index) => index)}`, "topics: must be at most 10 topics"],
    ["/popular?limit=many", "limit: must be a whole number"],
  ])("refuses %s with a reason", async (query, reason) => {
    const server = await startTestServer();
    const answer = await fetch(`${server.apiUrl}/blog${query}`);
    expect(answer.status).toBe(400);
    expect(await message(answer)).toContain(reason);
  });
});

describe("post of the blog", () => {
  // SPEC 3: "Blog post: id, title, slug"
  test("shows a post with its author, reading time and related posts", async () => {
    const { clock, server, superuser } = await setUp();
    await superuser.call("PATCH", "/users/me", { name: "Ada" });
    const topics = ["Speech", "Privacy", "Mail"];
    await publish(superuser, { title: "Post", topics, content: `${"word ".repeat(660)}` });
    await publish(superuser, { title: "One in common", topics: ["Speech"] });
    clock.advance(1000);
    await publish(superuser, { title: "Two in common", topics: ["speech", "privacy"] });
    await publish(superuser, { title: "Two in common, in another language", topics: ["speech", "privacy"], language: "de" });
    await publish(superuser, { title: "One in common, newer", topics: ["mail"] });
    await publish(superuser, { title: "Nothing in common", topics: ["Bread"] });
    await write(superuser, { title: "Draft", topics });
    const found = await readPost(server, "post");
    expect(found).toMatchObject({ author: "Ada", minutes: 3, topics, views: 0, likes: 0, language: "en", status: "published" });
    expect(found.related.map(({ title }) => title)).toEqual([
      "Two in common",
      "Two in common, in another language",
      "One in common, newer",
    ]);
    expect(found).not.toHaveProperty("revision");
  });

  // SPEC 7 Blog, public: "GET /blog/{slug}."
  test("finds a post by its former addresses and names the present one", async () => {
    const { server, superuser } = await setUp();
    const { id } = await publish(superuser, { title: "First name" });
    await superuser.call("PUT", `/admin/blog/${id}`, { slug: "second-name" });
    await superuser.call("PUT", `/admin/blog/${id}`, { slug: "third-name" });
    for (const slug of ["first-name", "second-name", "third-name"])
      expect((await readPost(server, slug)).slug).toBe("third-name");
    await superuser.call("PUT", `/admin/blog/${id}`, { slug: "first-name" });
    for (const slug of ["first-name", "second-name", "third-name"])
      expect((await readPost(server, slug)).slug).toBe("first-name");
    expect((await publish(superuser, { title: "Third name" })).slug).toBe("third-name-2");
  });

  // SPEC 7 Blog, public: "GET /blog/{slug}."
  // SPEC 8: "'Blog post not found' (404)"
  test.each(["nothing", "Nothing", "no%20thing", "..%2F..%2Fetc", "a".repeat(5000), "%00", "x'--"])(
    'answers "not found" for the unknown post %.20s',
    async (slug) => {
      const server = await startTestServer();
      const answer = await fetch(`${server.apiUrl}/blog/${slug}`);
      expect([answer.status, await message(answer)]).toEqual([404, "Blog post not found"]);
    },
  );

  // SPEC 7 Blog, public: "GET /blog/popular?limit={n} (default 5)."
  test("lists the most viewed posts as popular", async () => {
    const { server, superuser } = await setUp();
    for (let number = 1; number <= 7; number++) {
      const { id } = await publish(superuser, { title: `Post ${number}` });
      for (let times = 0; times < number; times++) await post(server, `/blog/${id}/view`, { userId: `reader-000${times}` });
    }
    const popular = async (query = "") =>
      (await read(await fetch(`${server.apiUrl}/blog/popular${query}`), 200, v.array(BlogSummary))).map(({ title }) => title);
    expect(await popular()).toEqual(["Post 7", "Post 6", "Post 5", "Post 4", "Post 3"]);
    expect(await popular("?limit=1")).toEqual(["Post 7"]);
  });
});

describe("reaction to a post", () => {
  // SPEC 7 Blog, public: "POST /blog/{id}/like, /blog/{id}/dislike"
  // SPEC 6: "Blog like, dislike and remove-reaction send a userId in the body without a token."
  test("counts a reader's reaction once, and the reader can change or remove it", async () => {
    const { clock, server, superuser } = await setUp();
    const { id, slug } = await publish(superuser);
    const say = async (reaction: string, userId = reader) =>
      read(await post(server, `/blog/${id}/${reaction}`, { userId }), 200, ReactionAnswer);
    expect(await say("like")).toEqual({ likes: 1, dislikes: 0, reaction: "like" });
    expect(await say("like")).toEqual({ likes: 1, dislikes: 0, reaction: "like" });
    expect(await say("like", "reader-0002")).toMatchObject({ likes: 2 });
    clock.advance(dayMs);
    expect(await say("dislike")).toEqual({ likes: 1, dislikes: 1, reaction: "dislike" });
    expect(await readPost(server, slug)).toMatchObject({ likes: 1, dislikes: 1 });
    // The first day's reaction is replaced.
    expect(daysOf(server.dataDir)).toEqual([
      { day: "2026-03-01", views: 0, likes: 1, dislikes: 0 },
      { day: "2026-03-02", views: 0, likes: 0, dislikes: 1 },
    ]);
    expect(await say("remove-reaction")).toEqual({ likes: 1, dislikes: 0, reaction: null });
    expect(await say("remove-reaction")).toEqual({ likes: 1, dislikes: 0, reaction: null });
    expect(daysOf(server.dataDir).at(-1)).toMatchObject({ likes: 0, dislikes: 0 });
  });

  // SPEC 7 Blog, public: "POST /blog/{id}/like, /blog/{id}/dislike"
  test("counts one reaction when a reader sends many at once", async () => {
    const { server, superuser } = await setUp();
    const { id, slug } = await publish(superuser);
    const like = () => post(server, `/blog/${id}/like`, { userId: reader });
    const answers = await Promise.all(Array.from({ length: 20 }, like));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await readPost(server, slug)).toMatchObject({ likes: 1, dislikes: 0 });
    const reactions = ["like", "dislike", "remove-reaction", "dislike", "like"];
    await Promise.all(
      reactions.flatMap((reaction) => reactions.map(() => post(server, `/blog/${id}/${reaction}`, { userId: reader }))),
    );
    const { likes, dislikes } = await readPost(server, slug);
    expect(likes + dislikes).toBeLessThanOrEqual(1);
    const last = await read(await post(server, `/blog/${id}/remove-reaction`, { userId: reader }), 200, ReactionAnswer);
    expect(last).toEqual({ likes: 0, dislikes: 0, reaction: null });
    expect(daysOf(server.dataDir)).toEqual([{ day: "2026-03-01", views: 0, likes: 0, dislikes: 0 }]);
  });

  test.each([
    ["no reader", {}],
    ["a number", { userId: 12345678 }],
    ["a short id", { userId: "me" }],
    ["strange characters", { userId: "<script>alert" }],
    ["an id that is too long", { userId: "x".repeat(101) }],
    ["a list", { userId: [reader] }],
  ])("refuses a reaction from %s", async (_, body) => {
    const { server, superuser } = await setUp();
    const { id } = await publish(superuser);
    for (const reaction of ["like", "dislike", "remove-reaction", "view"]) {
      expect(await refusal(await post(server, `/blog/${id}/${reaction}`, body))).toBe("400 badRequest");
    }
  });

  test("refuses a reaction to an unknown post, with an invalid body or from another origin", async () => {
    const { server } = await setUp();
    const path = "/blog/0cdfb754-f86d-4d27-af95-3f6347b4659f/like";
    const answer = await post(server, path, { userId: reader });
    expect([answer.status, await message(answer)]).toEqual([404, "Blog post not found"]);
    expect((await post(server, path, { userId: reader }, { "Content-Type": "text/plain" })).status).toBe(415);
    expect(await refusal(await post(server, path, { userId: "x".repeat(100_000) }))).toBe("413 tooLarge");
    expect(await refusal(await post(server, path, { userId: reader }, { Origin: "http://evil.example" }))).toBe("403 forbidden");
  });

  test("limits the reactions from one network address", async () => {
    const { server, superuser } = await setUp();
    const { id } = await publish(superuser);
    const like = async () => refusalOrStatus(await post(server, `/blog/${id}/like`, { userId: reader }));
    expect(await like()).toBe("200");
    {
      using db = openSql(server.dataDir);
      db.exec("update attempts set count = 299");
    }
    expect([await like(), await like()]).toEqual(["200", "429 tooManyRequests"]);
  });
});

// PROMISE blog: Reactions and views count once; the reader is forgotten
test("counts a reader's views once a day and forgets the reader afterwards", async () => {
  const { clock, server, superuser } = await setUp();
  const { id, slug } = await publish(superuser);
  const view = async (userId: string) =>
    read(await post(server, `/blog/${id}/view`, { userId }), 200, v.object({ views: v.number() }));
  await Promise.all(Array.from({ length: 5 }, () => view(reader)));
  expect(await view("reader-0002")).toEqual({ views: 2 });
  clock.advance(dayMs);
  expect(await view(reader)).toEqual({ views: 3 });
  expect((await readPost(server, slug)).views).toBe(3);
  expect(daysOf(server.dataDir)).toMatchObject([
    { day: "2026-03-01", views: 2 },
    { day: "2026-03-02", views: 1 },
  ]);
  clock.advance(3 * dayMs);
  await server.sweep();
  using db = openSql(server.dataDir);
  expect(db.prepare("select count(*) as left from blog_views").get()).toEqual({ left: 0 });
  expect((await readPost(server, slug)).views).toBe(3);
});
