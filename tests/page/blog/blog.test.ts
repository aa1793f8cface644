import { beforeEach, describe, expect, it } from "vitest";
import type { BlogQuery } from "#contract/index.ts";
import { createBlogApi } from "#src/api/blog.ts";
import { createCall } from "#src/api/http.ts";
import { createStorage, type PageStorage } from "#src/browser/storage.ts";
import { queryOf, searchOf } from "#src/features/blog/address.ts";
import { choicesOf, isBeginning, isFiltered, pagerOf, withTopic } from "#src/features/blog/choices.ts";
import { createPersistedReactions } from "#src/features/blog/reactions-actor.ts";
import { createReader } from "#src/features/blog/reader.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

const whole: BlogQuery = { page: 1, topics: [], language: "", generated: null };
const summary = { id: 1, title: "Tea", slug: "tea", topics: ["tea"], language: "de" };

describe("blog's address", () => {
  it.each<[Record<string, unknown>, Partial<BlogQuery>]>([
    [{}, {}],
    [
      { page: 3, topics: "tea,coffee", language: "pt-BR", generated: true },
      { page: 3, topics: ["tea", "coffee"], language: "pt-BR", generated: true },
    ],
    [{ topics: " tea ,,tea, " }, { topics: ["tea"] }],
    [{ topics: 2024 }, { topics: ["2024"] }],
    [{ topics: ["tea"], page: "2", language: 5, generated: "yes" }, {}],
    [{ page: 0, language: "German" }, {}],
    [{ page: -1 }, {}],
    [{ page: 1.5 }, {}],
    [{ page: 1e300 }, {}],
    [{ generated: false }, { generated: false }],
    [
      { topics: Array.from({ length: 30 }, (_, n) => `t${n}`).join(",") },
      { topics: Array.from({ length: 10 }, (_, n) => `t${n}`) },
    ],
  ])("the blog's filters accept %j", (search, query) => expect(queryOf(search)).toEqual({ ...whole, ...query }));

  it.each([undefined, null, "x", []])("the blog's filters ignore %j", (search) => expect(queryOf(search)).toEqual(whole));

  it("the blog's address contains only what differs from the whole blog, and is read back unchanged", () => {
    expect(JSON.stringify(searchOf(whole))).toBe("{}");
    const query: BlogQuery = { page: 2, topics: ["tea", "coffee"], language: "en", generated: false };
    expect(queryOf(searchOf(query))).toEqual(query);
  });
});

describe("choices of the blog's filters", () => {
  const facets = {
    topics: [{ topic: "tea", count: 4 }],
    languages: [
      { language: "en", count: 3 },
      { language: "pt", count: 1 },
    ],
  };

  it("choices of the blog's filters are the server's, plus the chosen ones", () => {
    expect(choicesOf(facets, [], whole)).toEqual(facets);
    const more = choicesOf(facets, [], { ...whole, topics: ["tea", "salt"], language: "da" });
    expect(more.topics.at(-1)).toEqual({ topic: "salt", count: 0 });
    expect(more.languages.at(-1)).toEqual({ language: "da", count: 0 });
  });

  it("choices of the blog's filters come from the posts if the server sends none", async () => {
    const { posts } = await api([summary, { ...summary, id: 2, topics: ["salt", "tea"], language: "en" }]).list(whole, "en");
    expect(choicesOf(null, posts, whole).topics).toEqual([
      { topic: "tea", count: 2 },
      { topic: "salt", count: 1 },
    ]);
  });

  it("choices of the blog's filters add or remove a topic and lead to the first page", () => {
    const chosen = withTopic({ ...whole, page: 3 }, "tea");
    expect(chosen).toEqual({ ...whole, topics: ["tea"] });
    expect(withTopic(chosen, "tea")).toEqual(whole);
    expect([isFiltered(whole), isFiltered(chosen), isFiltered({ ...whole, generated: false })]).toEqual([false, true, true]);
  });

  it.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 9, [1, 2, 0, 9]],
    [3, 9, [1, 2, 3, 4, 0, 9]],
    [4, 9, [1, 2, 3, 4, 5, 0, 9]],
    [5, 9, [1, 0, 4, 5, 6, 0, 9]],
    [9, 9, [1, 0, 8, 9]],
    [12, 9, [1, 0, 9]],
  ])("the list of posts has for page %i of %i the page numbers %j", (page, last, numbers) =>
    expect(pagerOf(page, last)).toEqual(numbers),
  );
});

const asked: { path: string; method: string | undefined; body: unknown }[] = [];
const api = (answer: unknown) =>
  createBlogApi(
    createCall(async (path, init) => {
      asked.push({ path, method: init?.method, body: init?.body });
      return Response.json(answer);
    }),
  );
beforeEach(() => void asked.splice(0));

describe("summary of a post", () => {
  it.each([
    ["Two people meet. One speaks Danish.", true],
    ["Two people meet…", true],
    ["How two people who share no language talk.", false],
  ])("the summary of a post is hidden if the text begins with it: %s", (summary, expected) => {
    expect(isBeginning(summary, "**Two people** meet. One speaks [Danish](/da).\n\nThe other…")).toBe(expected);
  });
});

describe("blog calls", () => {
  // SPEC 7 Blog, public: "The response is an array, or {posts,total,page,totalPages}, or a single post."
  it.each([
    ["an array", [summary], { total: 1, totalPages: 1 }],
    ["a page", { posts: [summary], total: 40, page: 2, totalPages: 4 }, { total: 40, page: 2, totalPages: 4 }],
    ["a single post", summary, { total: 1, totalPages: 1 }],
    ["an empty array", [], { total: 0 }],
  ])("blog calls accept the list as %s", async (_, answer, expected) => {
    const list = await api(answer).list({ ...whole, topics: ["tea", "salt & co"], language: "de", generated: false }, "en");
    expect(list).toMatchObject(expected);
    for (const post of list.posts) expect(post).toMatchObject({ id: "1", likes: 0, generated: false });
    expect(asked[0]?.path).toBe("/blog?page=1&limit=12&topics=tea%2Csalt+%26+co&language=de&generated=false");
  });

  it("blog calls ask for posts in the reader's language first, unless one is chosen", async () => {
    await api([summary]).list(whole, "pt-BR");
    expect(asked[0]?.path).toBe("/blog?page=1&limit=12&first=pt-BR");
  });

  it("blog calls reject an answer without a list", async () => {
    await expect(api({ nothing: true }).list(whole, "en")).rejects.toMatchObject({ code: "internal" });
  });

  // SPEC 9: "Popular posts default"
  // SPEC 7 Blog, public: "GET /blog/{slug}."
  // SPEC 7 Blog, public: "GET /blog/popular?limit={n} (default 5)."
  // SPEC 7 Blog, public: "POST /blog/{id}/like, /blog/{id}/dislike"
  // SPEC 6: "Blog like, dislike and remove-reaction send a userId in the body without a token."
  it("blog calls request popular posts and a post, and report reactions and views", async () => {
    await api([summary]).popular();
    await api(summary).post("tea time/é");
    const counts = api({ likes: 1, dislikes: 0 });
    for (const reaction of ["like", "dislike", null] as const) await counts.react({ id: "1/2", reaction }, "reader-1");
    await api({ views: 1 }).view("1", "reader-1");
    expect(asked.map(({ path }) => path)).toEqual([
      ...["/blog/popular?limit=5", "/blog/tea%20time%2F%C3%A9"],
      ...["/blog/1%2F2/like", "/blog/1%2F2/dislike", "/blog/1%2F2/remove-reaction", "/blog/1/view"],
    ]);
    expect(asked.slice(2).every(({ method, body }) => method === "POST" && body === '{"userId":"reader-1"}')).toBe(true);
  });
});

describe("reader of the blog", () => {
  const session = { userId: null as string | null };
  let storage: PageStorage;
  let readerId: () => string;
  let persistedReactions: ReturnType<typeof createPersistedReactions>;
  beforeEach(() => {
    session.userId = null;
    storage = createStorage(new FakeOrigin().openTab());
    readerId = createReader({ owner: () => session.userId, storage });
    persistedReactions = createPersistedReactions(readerId, storage);
  });

  it("the reader of the blog is the account, or an id stored in the browser", () => {
    const made = readerId();
    expect(made).toMatch(/^[\da-f-]{36}$/);
    expect([readerId(), storage.read("readerId")]).toEqual([made, made]);
    session.userId = "account-0001";
    expect(readerId()).toBe("account-0001");
    session.userId = null;
    storage.write("readerId", "<b>");
    expect(readerId()).not.toBe("<b>");
  });

  it("the browser keeps the newest 200 reactions per reader", () => {
    for (let post = 1; post <= 205; post++) persistedReactions.keep(`p${post}`, post % 2 === 0 ? "like" : "dislike");
    expect([persistedReactions.of("p205"), persistedReactions.of("p6"), persistedReactions.of("p5")]).toEqual([
      "dislike",
      "like",
      null,
    ]);
    persistedReactions.keep("p205", null);
    expect(persistedReactions.of("p205")).toBeNull();
    session.userId = "account-0001";
    expect(persistedReactions.of("p204")).toBeNull();
    persistedReactions.keep("p204", "dislike");
    session.userId = null;
    expect(persistedReactions.of("p204")).toBe("like");
  });

  it("loses only the reactions when the storage is unreadable", () => {
    for (const wrong of ["{", "null", '[{"postId":1}]', '["x"]']) {
      storage.write("blogReactions", wrong);
      expect(persistedReactions.of("p1")).toBeNull();
    }
    persistedReactions.keep("p1", "like");
    expect(persistedReactions.of("p1")).toBe("like");
    persistedReactions.keep("p1", null);
    expect(storage.read("blogReactions")).toBeNull();
  });
});
