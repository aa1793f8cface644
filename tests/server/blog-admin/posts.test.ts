import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { AdminBlogPost, BlogListAnswer, BulkAnswer, SlugAnswer } from "#contract/index.ts";
import { draft, message, publish, readPost, titles, write } from "#tests/server/blog/posts.ts";
import { openSql } from "#tests/server/database.ts";
import { type Person, read, refusal, signUp, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { unzipped } from "#tests/server/zip.ts";

const nobody = "0cdfb754-f86d-4d27-af95-3f6347b4659f";

async function setUp() {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  return { clock, server, superuser: await signUpSuperuser(server) };
}

const change = (superuser: Person, id: string, body: unknown) => superuser.call("PUT", `/admin/blog/${id}`, body);
const got = async (superuser: Person, id: string) => read(await superuser.call("GET", `/admin/blog/${id}`), 200, AdminBlogPost);
const found = async (superuser: Person, query = "") =>
  (await read(await superuser.call("GET", `/admin/blog${query}`), 200, BlogListAnswer)).posts.map(({ title }) => title);

describe("routes of the blog's administration", () => {
  // SPEC 6: "Admin blog calls answer 401 'Unauthorized: Admin access required'"
  // SPEC 8: "'Unauthorized: Admin access required' (401)"
  test("refuses every admin call of visitors and ordinary users and changes nothing", async () => {
    const { server, superuser } = await setUp();
    const person = await signUp(server);
    const { id, slug } = await publish(superuser, { title: "Mine" });
    const calls: [string, string, unknown?][] = [
      ["GET", "/admin/blog"],
      ["POST", "/admin/blog", draft()],
      ["GET", `/admin/blog/${id}`],
      ["PUT", `/admin/blog/${id}`, { title: "Taken" }],
      ["DELETE", `/admin/blog/${id}`],
      ["POST", "/admin/blog/bulk", { ids: [id], action: "delete" }],
      ["GET", "/admin/blog/slug?title=A"],
      ["POST", "/admin/blog/upload-image", new FormData()],
      ["GET", "/admin/blog/analytics"],
      ["POST", "/admin/blog/generate", {}],
      ["POST", "/admin/blog/generate-unique", {}],
      ["GET", "/admin/blog/diversity-stats"],
      ["GET", "/admin/blog/scheduled-status"],
      ["POST", "/admin/blog/trigger-scheduled"],
      ["POST", "/admin/blog/skip-next-scheduled"],
    ];
    for (const [method, path, body] of calls) {
      const answers = [await person.call(method, path, body), await fetch(`${server.apiUrl}${path}`, { method })];
      for (const answer of answers) {
        const said = [method, path, answer.status, await message(answer)];
        expect(said).toEqual([method, path, 401, "Unauthorized: Admin access required"]);
      }
    }
    expect(await readPost(server, slug)).toMatchObject({ title: "Mine" });
    expect(await found(superuser)).toEqual(["Mine"]);
  });

  test("refuses admin calls of a user who lost the superuser right", async () => {
    const { server, superuser } = await setUp();
    using db = openSql(server.dataDir);
    db.prepare("update users set is_superuser = 0 where email = ?").run(superuser.email);
    expect(await refusal(await superuser.call("GET", "/admin/blog"))).toBe("401 adminRequired");
  });
});

describe("writing of a post", () => {
  // SPEC 7 Blog, admin (Bearer): "POST /admin/blog (create)"
  // SPEC 7 Blog, admin (Bearer): "GET, PUT and DELETE /admin/blog/{id}"
  test("creates slug, summary and reading time, and publishes the post on request", async () => {
    const { clock, server, superuser } = await setUp();
    const made = await write(superuser, {
      title: "  Größe & Maß ",
      content: "# Größe\n\nEin Satz. Noch einer.",
      topics: ["A", "a", "B"],
    });
    expect(made).toMatchObject({
      title: "Größe & Maß",
      slug: "groesse-mass",
      summary: "Ein Satz. Noch einer.",
      topics: ["A", "B"],
      status: "draft",
      minutes: 1,
      revision: 1,
      publishedAt: null,
    });
    clock.advance(60_000);
    const published = await read(await change(superuser, made.id, { status: "published" }), 200, AdminBlogPost);
    expect(published).toMatchObject({ revision: 2, publishedAt: "2026-03-01T12:01:00.000Z", content: made.content });
    clock.advance(60_000);
    await change(superuser, made.id, { status: "draft" });
    await change(superuser, made.id, { status: "published" });
    expect((await readPost(server, "groesse-mass")).publishedAt).toBe("2026-03-01T12:01:00.000Z");
  });

  test("a change keeps absent fields and updates only a summary that nobody wrote", async () => {
    const { superuser } = await setUp();
    const { id, content } = await write(superuser, { topics: ["A"], language: "de" });
    await change(superuser, id, { title: "New" });
    expect(await got(superuser, id)).toMatchObject({ title: "New", content, topics: ["A"], language: "de", slug: "a-post" });
    await change(superuser, id, { content: "Other words." });
    expect((await got(superuser, id)).summary).toBe("Other words.");
    await change(superuser, id, { summary: "In short.", topics: [] });
    await change(superuser, id, { content: "Words once more." });
    expect(await got(superuser, id)).toMatchObject({ summary: "In short.", topics: [] });
    await change(superuser, id, { summary: "" });
    expect((await got(superuser, id)).summary).toBe("Words once more.");
  });

  test("refuses the later of two editors' changes with a conflict", async () => {
    const { superuser } = await setUp();
    const { id, revision } = await write(superuser);
    const both = await Promise.all(["One", "Two"].map((title) => change(superuser, id, { title, revision })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const kept = await got(superuser, id);
    expect(kept.revision).toBe(2);
    expect(await refusal(await change(superuser, id, { title: "Late", revision }))).toBe("409 conflict");
    expect((await got(superuser, id)).title).toBe(kept.title);
    expect((await change(superuser, id, { title: "Late", revision: 2 })).status).toBe(200);
  });

  test("keeps a change that arrives while another change's text is processed", async () => {
    const { superuser } = await setUp();
    const { id } = await write(superuser);
    const content = "One *sentence* of many. ".repeat(2000).trim();
    await Promise.all([change(superuser, id, { content }), change(superuser, id, { title: "RecentChanges" })]);
    const { summary, ...kept } = await got(superuser, id);
    expect(kept).toMatchObject({ title: "RecentChanges", content, minutes: 36, revision: 3 });
    expect(summary).toMatch(/^One sentence of many\. One/);
  });

  test("numbers a taken slug and refuses a taken slug that was requested", async () => {
    const { superuser } = await setUp();
    const slugs: string[] = [];
    for (let times = 0; times < 3; times++) slugs.push((await write(superuser)).slug);
    expect(slugs).toEqual(["a-post", "a-post-2", "a-post-3"]);
    expect((await write(superuser, { title: "Admin" })).slug).toBe("admin-2");
    const many = await Promise.all(Array.from({ length: 5 }, () => write(superuser, { title: "Same" })));
    expect(new Set(many.map(({ slug }) => slug)).size).toBe(5);
    for (const slug of ["a-post", "images", "popular"]) {
      expect(await refusal(await superuser.call("POST", "/admin/blog", draft({ slug })))).toBe("409 slugTaken");
    }
    const other = await write(superuser, { slug: "mine" });
    expect(await refusal(await change(superuser, other.id, { slug: "a-post" }))).toBe("409 slugTaken");
    await change(superuser, other.id, { slug: "mine-now" });
    // The old slug still leads to this post.
    expect(await refusal(await superuser.call("POST", "/admin/blog", draft({ slug: "mine" })))).toBe("409 slugTaken");
    const ask = async (query: string) => read(await superuser.call("GET", `/admin/blog/slug?${query}`), 200, SlugAnswer);
    expect(await ask("title=A%20post")).toEqual({ slug: "a-post-4", free: true });
    expect(await ask("slug=mine")).toEqual({ slug: "mine", free: false });
    expect(await ask(`slug=mine&id=${other.id}`)).toEqual({ slug: "mine", free: true });
    expect(await ask("slug=admin")).toEqual({ slug: "admin", free: false });
    expect(await refusal(await superuser.call("GET", "/admin/blog/slug"))).toBe("400 badRequest");
  });

  test.each([
    ["no title", { title: " " }],
    ["a title that is a number", { title: 5 }],
    ["a title that is too long", { title: "x".repeat(201) }],
    ["a text that is too long", { content: "x".repeat(200_001) }],
    ["an address with spaces", { slug: "a post" }],
    ["an address with a path", { slug: "../admin" }],
    ["eleven topics", { topics: Array.from({ length: 11 }, (_, index) => `T${index}`) }],
    ["a topic with a comma", { topics: ["a,b"] }],
    ["an unknown status", { status: "hidden" }],
    ["an unknown language", { language: "klingon" }],
    ["a cover without size", { cover: { url: "http://x.y/z" } }],
  ])("refuses a post with %s", async (_, bad) => {
    const { superuser } = await setUp();
    const { id } = await write(superuser);
    expect(await refusal(await superuser.call("POST", "/admin/blog", { ...draft(), ...bad }))).toBe("400 badRequest");
    expect(await refusal(await change(superuser, id, bad))).toBe("400 badRequest");
    expect((await got(superuser, id)).revision).toBe(1);
    expect(await found(superuser)).toHaveLength(1);
  });

  test('refuses a huge post and answers "not found" for an unknown one', async () => {
    const { superuser } = await setUp();
    const huge = draft({ content: "x".repeat(3 * 1024 * 1024) });
    expect(await refusal(await superuser.call("POST", "/admin/blog", huge))).toBe("413 tooLarge");
    for (const id of [nobody, "1", "undefined"]) {
      expect((await superuser.call("GET", `/admin/blog/${id}`)).status).toBe(404);
      expect((await change(superuser, id, { title: "x" })).status).toBe(404);
      expect((await superuser.call("DELETE", `/admin/blog/${id}`)).status).toBe(404);
    }
  });

  test("stores a post of 200,000 characters in any script", async () => {
    const { superuser } = await setUp();
    const content = "漢".repeat(200_000);
    expect((await got(superuser, (await write(superuser, { content })).id)).content).toBe(content);
  });
});

describe("admin list of posts", () => {
  // SPEC 7 Blog, admin (Bearer): "GET /admin/blog (list, same query filters as the public list)"
  test("lists drafts too, and filters, searches and sorts posts", async () => {
    const { clock, superuser } = await setUp();
    for (const [title, status] of [
      ["Äpfel", "published"],
      ["100 %", "draft"],
      ["Birnen", "published"],
    ] as const) {
      await write(superuser, { title, status, topics: [title] });
      clock.advance(1000);
    }
    expect(await found(superuser)).toEqual(["Birnen", "100 %", "Äpfel"]);
    expect(await found(superuser, "?status=draft")).toEqual(["100 %"]);
    for (const typed of ["ÄPF", "apfel"]) expect(await found(superuser, `?search=${typed}`)).toEqual(["Äpfel"]);
    expect(await found(superuser, "?search=%25")).toEqual(["100 %"]);
    expect(await found(superuser, "?search=_")).toEqual([]);
    expect(await found(superuser, "?sort=title")).toEqual(["100 %", "Birnen", "Äpfel"]);
    expect(await found(superuser, "?sort=created&limit=1&page=2")).toEqual(["100 %"]);
    expect(await found(superuser, "?topics=birnen&generated=false")).toEqual(["Birnen"]);
    for (const query of ["?sort=size", "?status=hidden", `?search=${"x".repeat(201)}`]) {
      expect(await refusal(await superuser.call("GET", `/admin/blog${query}`))).toBe("400 badRequest");
    }
  });

  test("applies a bulk action to several posts and returns the existing ones", async () => {
    const { server, superuser } = await setUp();
    const ids = [(await write(superuser, { title: "A" })).id, (await publish(superuser, { title: "B" })).id];
    const all = async (action: string, asked: readonly string[] = ids) =>
      read(await superuser.call("POST", "/admin/blog/bulk", { ids: asked, action }), 200, BulkAnswer);
    expect(await all("publish", [...ids, nobody])).toEqual({ done: ids });
    expect((await titles(server)).toSorted()).toEqual(["A", "B"]);
    expect(await all("unpublish")).toEqual({ done: ids });
    expect(await titles(server)).toEqual([]);
    const { done } = await all("delete");
    expect(done.toSorted()).toEqual(ids.toSorted());
    expect(await all("delete")).toEqual({ done: [] });
    expect(await found(superuser)).toEqual([]);
    for (const body of [
      { ids: [], action: "delete" },
      { ids, action: "burn" },
      { ids: "all", action: "delete" },
    ]) {
      expect(await refusal(await superuser.call("POST", "/admin/blog/bulk", body))).toBe("400 badRequest");
    }
  });

  // SPEC 7 Blog, admin (Bearer): "GET, PUT and DELETE /admin/blog/{id}"
  test("deletes a post with its slugs and topics", async () => {
    const { server, superuser } = await setUp();
    const { id, slug } = await publish(superuser, { topics: ["A"] });
    await change(superuser, id, { slug: "elsewhere" });
    expect((await superuser.call("DELETE", `/admin/blog/${id}`)).status).toBe(204);
    for (const gone of [slug, "elsewhere"]) expect((await fetch(`${server.apiUrl}/blog/${gone}`)).status).toBe(404);
    expect((await write(superuser)).slug).toBe(slug);
    using db = openSql(server.dataDir);
    expect(db.prepare("select count(*) as left from blog_topics").get()).toEqual({ left: 0 });
  });
});

describe("deletion of an author's account", () => {
  test("an author's export contains the posts, and deleting the account leaves them without a name", async () => {
    const { server, superuser } = await setUp();
    await superuser.call("PATCH", "/users/me", { name: "Ada" });
    const { slug } = await publish(superuser, { title: "Mine", content: "My words." });
    expect((await readPost(server, slug)).author).toBe("Ada");
    const answer = await superuser.call("GET", "/users/me/export");
    const files = unzipped(Buffer.from(await answer.arrayBuffer()));
    const [name = ""] = [...files.keys()].filter((path) => path.endsWith(".md"));
    expect(name).toMatch(/^posts\/2026-03-01 Mine \w{8}\.md$/);
    expect(files.get(name)).toContain("My words.");
    const about = v.parse(v.looseObject({ posts: v.array(v.unknown()) }), JSON.parse(String(files.get("account.json"))));
    expect(about.posts).toMatchObject([{ title: "Mine", slug, status: "published" }]);
    expect((await superuser.call("DELETE", "/users/me", { password: "correct horse" })).status).toBe(204);
    expect(await readPost(server, slug)).toMatchObject({ title: "Mine", author: null });
  });
});

test("ignores an id in the request for a new post", async () => {
  const { superuser } = await setUp();
  const id = randomUUID();
  const withId = { ...draft(), id };
  expect((await write(superuser, withId)).id).not.toBe(id);
});
