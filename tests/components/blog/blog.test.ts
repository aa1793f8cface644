import { describe, expect, onTestFinished, test } from "vitest";
import type { BlogList, BlogPost, BlogSummary } from "#contract/index.ts";
import { i18n } from "#src/i18n/index.ts";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { post } from "#tests/machines/blog-admin/posts.ts";

const published = (changes: Partial<BlogPost>): BlogPost => ({
  ...post({ status: "published", publishedAt: "2026-09-01T23:30:00.000Z", topics: ["Tea"] }),
  ...changes,
});
const tea = published({ id: "1", slug: "tea", title: "About tea", summary: "Of cups.", likes: 1_200, minutes: 3 });
const coffee = published({ id: "2", slug: "coffee", title: "Kaffee am Morgen", topics: ["Coffee"], language: "de", minutes: 0 });
const machine = published({ id: "3", slug: "machine", title: "Coffee by a machine", topics: ["Coffee"], generated: true });
const all = [tea, coffee, machine];

/**
 * A blog of three posts on two pages, with the server's filters.
 * @returns the queries of the calls
 */
function keepBlog(posts: readonly BlogSummary[] = all): string[] {
  const asked: string[] = [];
  const facets = {
    topics: [
      { topic: "Coffee", count: 2 },
      { topic: "Tea", count: 1 },
    ],
    languages: [
      { language: "en", count: 2 },
      { language: "de", count: 1 },
    ],
  };
  answer({
    "GET /blog": ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const topics = searchParams.get("topics")?.split(",") ?? [];
      const language = searchParams.get("language");
      const generated = searchParams.get("generated");
      const found = posts
        .filter((one) => topics.length === 0 || topics.some((topic) => one.topics.includes(topic)))
        .filter((one) => language === null || one.language === language)
        .filter((one) => generated === null || String(one.generated) === generated);
      const isFiltered = topics.length > 0 || language !== null || generated !== null;
      const number = Number(searchParams.get("page"));
      const shown = isFiltered || number <= 2 ? found : [];
      const list: BlogList = {
        posts: [...shown],
        total: isFiltered ? found.length : 1_014,
        page: number,
        totalPages: isFiltered ? 1 : 2,
        facets,
      };
      return { ...list };
    },
    "GET /blog/popular": posts.slice(0, 2),
    "GET /blog/:slug": ({ params }) => {
      const found = all.find(({ slug }) => slug === params.slug);
      return found ? { ...found } : refusal(404, "notFound");
    },
    "POST /blog/:id/view": {},
  });
  return asked;
}

const open = (path: string) => openPage(path, { as: "visitor" });
const posts = page.getByTestId("posts");
const titles = () => textsOf(posts.getByRole("heading", { level: 2 }));
const count = () => textsOf(posts.getByRole("status"))[0];

describe("the list of posts", () => {
  // SPEC 2 Public routes: "/blog | Blog list"
  test("shows each post's facts in the reader's language", async () => {
    const asked = keepBlog();
    await open("/blog");
    await expect.poll(titles).toEqual(["About tea", "Kaffee am Morgen", "Coffee by a machine"]);
    expect(asked).toEqual(["?page=1&limit=12&first=en"]);
    expect(count()).toBe("1,014 posts, page 1 of 2");
    const facts = posts.elements()[0]?.querySelectorAll("article > div > ul:last-child") ?? [];
    expect([...facts].map((list) => [...list.children].map((fact) => fact.textContent))).toEqual([
      ["1 September 2026", "3 min read", "1,2001200 likes"],
      ["1 September 2026", "German"],
      ["1 September 2026", "1 min read", "AI-generated"],
    ]);
    expect(posts.getByRole("heading", { name: "Kaffee" }).element().getAttribute("lang")).toBe("de");
    const feeds = [...document.querySelectorAll("aside a[href$='.xml']")].map((link) => link.getAttribute("href"));
    expect(feeds).toEqual(["/blog/rss.xml", "/blog/atom.xml"]);
  });

  test("requests posts of the new language first when the reader changes the language", async () => {
    const asked = keepBlog();
    await open("/blog");
    onTestFinished(() => void i18n.changeLanguage("en"));
    await i18n.changeLanguage("de");
    await expect.poll(() => asked).toEqual(["?page=1&limit=12&first=en", "?page=1&limit=12&first=de"]);
  });

  test("turns the list's pages, and moves the focus to the heading", async () => {
    keepBlog();
    await open("/blog");
    await page.getByRole("link", { name: "Next" }).click();
    await expect.poll(count).toBe("1,014 posts, page 2 of 2");
    await expect.element(page.getByRole("link", { name: "Page 2" })).toHaveAttribute("aria-current", "page");
    expect(page.getByRole("link", { name: "Page 1" }).element().ariaCurrent).toBeNull();
    await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
    expect(location.search).toBe("?page=2");
    history.back();
    await expect.poll(count).toBe("1,014 posts, page 1 of 2");
    await open("/blog?page=7");
    await page.getByRole("link", { name: /first page/i }).click();
    await expect.poll(count).toBe("1,014 posts, page 1 of 2");
  });

  test("filters posts by topic, language and author with the keyboard, and restores the filters with Back", async () => {
    const asked = keepBlog();
    await open("/blog");
    const filter = page.getByRole("main").getByText(/^Filter/);
    await expect.element(filter).toHaveTextContent("Filter");
    filter.element().closest("summary")?.focus();
    await userEvent.keyboard("{Enter}");
    const coffee = page.getByRole("checkbox", { name: "Coffee" });
    coffee.element().focus();
    await userEvent.keyboard(" ");
    await expect.poll(count).toBe("2 posts");
    await expect.element(filter).toHaveTextContent("Filter (1)");
    expect(coffee.element().closest("details")?.open).toBe(true);
    await page.getByRole("main").getByLabelText("Language").selectOptions("English");
    await expect.poll(count).toBe("1 post");
    expect(titles()).toEqual(["Coffee by a machine"]);
    expect(location.search).toBe("?topics=Coffee&language=en");
    await page.getByLabelText("Written by").selectOptions("People");
    const chips = page.getByRole("list", { name: "Active filters" }).getByRole("button");
    await expect.poll(() => textsOf(chips)).toEqual(["English", "Written by: People", "Coffee"]);
    await expect.element(page.getByRole("heading", { name: "No posts match these filters" })).toBeVisible();
    expect(asked.at(-1)).toBe("?page=1&limit=12&topics=Coffee&language=en&generated=false");
    history.back();
    await expect.poll(count).toBe("1 post");
    await page.getByRole("button", { name: "Remove Coffee" }).click();
    await expect.element(page.getByRole("button", { name: "Remove English" })).toHaveFocus();
    await expect.poll(() => location.search).toBe("?language=en");
    await page.getByRole("link", { name: "Clear filters" }).first().click();
    await expect.poll(count).toBe("1,014 posts, page 1 of 2");
    expect(location.search).toBe("");
    await expect.element(filter).toHaveTextContent("Filter");
    expect(document.activeElement).toBe(filter.element().closest("summary"));
    await expect.element(page.getByRole("link", { name: "Clear filters" })).not.toBeInTheDocument();
  });

  test("says that the list is empty or failed to load, and retries", async () => {
    answer({ "GET /blog": refusal(500, "internal"), "GET /blog/popular": refusal(500, "internal") });
    await open("/blog?page=3");
    const alert = page.getByRole("alert");
    await expect.element(alert.filter({ hasText: "Failed to fetch blog posts" })).toBeVisible();
    answer({ "GET /blog": { posts: [], total: 0, page: 1, totalPages: 1 }, "GET /blog/popular": [] });
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => titles().length).toBe(1);
    expect(count()).toBe("0 posts");
  });
});

describe("a post", () => {
  const like = page.getByRole("button", { name: /^Like/ });
  const dislike = page.getByRole("button", { name: /^Dislike/ });
  const counts = () => textsOf(page.getByRole("status").filter({ hasText: "dislike" }))[0];
  const pressed = () => [like, dislike].map((button) => button.element().ariaPressed);

  // SPEC 2 Public routes: "/blog/{slug} | Blog post"
  test("shows a post without scripts, dangerous links and foreign pictures, and counts one view", async () => {
    keepBlog();
    const views: unknown[] = [];
    const content = [
      "A cup.\n\n<script>window.ran = true;</script>\n<img src=x onerror='window.ran = true'>\n\n## How to make it\n",
      "Press [here](javascript:window.ran=true) or [read on](/blog/tea).\n\n![Elsewhere](https://pictures.example/tea.png)",
    ].join("\n");
    answer({
      "GET /blog/:slug": { ...machine, content, related: [coffee] },
      "POST /blog/:id/view": ({ params }) => {
        views.push(params.id);
        return {};
      },
    });
    await open("/blog/machine");
    await expect.element(page.getByRole("heading", { level: 1, name: "Coffee by a machine" })).toHaveFocus();
    await expect.poll(() => document.title).toBe("Coffee by a machine · Parlance");
    await expect.element(page.getByText("This post was written by a language model.")).toBeVisible();
    await expect.element(page.getByRole("heading", { level: 2, name: "How to make it" })).toBeVisible();
    expect(page.getByRole("link", { name: "here", exact: true }).elements()).toEqual([]);
    const picture = page.getByRole("link", { name: /Picture “Elsewhere” on pictures.example/ });
    expect(picture.element().getAttribute("rel")).toMatch(/noopener/);
    expect("ran" in window).toBe(false);
    await expect.poll(() => views).toEqual(["3"]);
    await expect.element(page.getByRole("heading", { level: 3, name: "Kaffee am Morgen" })).toBeVisible();
    await page.getByRole("link", { name: "All posts" }).click();
    await expect.poll(() => location.pathname).toBe("/blog");
  });

  test("sends likes, dislikes and removed reactions with the reader's id", async () => {
    keepBlog();
    const sent: unknown[] = [];
    const react = (path: string, likes: number, dislikes: number) => ({
      [`POST /blog/:id/${path}`]: async ({ request }: { request: Request }) => {
        sent.push([path, await request.json()]);
        return { likes, dislikes };
      },
    });
    answer({ ...react("like", 1_201, 0), ...react("dislike", 1_200, 1), ...react("remove-reaction", 1_200, 0) });
    await open("/blog/tea");
    await expect.poll(counts).toBe("1200 likes, 0 dislikes");
    await like.click();
    await expect.poll(counts).toBe("1201 likes, 0 dislikes");
    expect(pressed()).toEqual(["true", "false"]);
    await dislike.click();
    await expect.poll(counts).toBe("1200 likes, 1 dislike");
    expect(pressed()).toEqual(["false", "true"]);
    dislike.element().focus();
    await userEvent.keyboard(" ");
    await expect.poll(counts).toBe("1200 likes, 0 dislikes");
    expect(pressed()).toEqual(["false", "false"]);
    const reader = { userId: expect.stringMatching(/^[\w-]{8,}$/) };
    await expect
      .poll(() => sent)
      .toEqual([
        ["like", reader],
        ["dislike", reader],
        ["remove-reaction", reader],
      ]);
  });

  // SPEC 8: "'Failed to like blog post'"
  // SPEC 8: "'Failed to dislike blog post'"
  test.each([
    ["like", "Failed to like blog post"],
    ["dislike", "Failed to dislike blog post"],
  ])("reverts a %s that the server refuses", async (path, said) => {
    keepBlog();
    answer({ [`POST /blog/:id/${path}`]: refusal(500, "internal") });
    await open("/blog/tea");
    await (path === "like" ? like : dislike).click();
    await expect.element(page.getByRole("alert").filter({ hasText: said })).toBeVisible();
    await expect.poll(pressed).toEqual(["false", "false"]);
    expect(counts()).toBe("1200 likes, 0 dislikes");
  });

  // SPEC 8: "'Failed to remove reaction'"
  test("keeps a like when its removal fails", async () => {
    keepBlog();
    answer({ "POST /blog/:id/like": { likes: 1_201, dislikes: 0 }, "POST /blog/:id/remove-reaction": refusal(500, "internal") });
    await open("/blog/tea");
    await like.click();
    await expect.poll(counts).toBe("1201 likes, 0 dislikes");
    await like.click();
    await expect.element(page.getByRole("alert").filter({ hasText: "Failed to remove reaction" })).toBeVisible();
    await expect.poll(pressed).toEqual(["true", "false"]);
  });

  test("leads from an unknown post to the list, and from an old address to the new one", async () => {
    keepBlog();
    await open("/blog/nothing-of-the-kind");
    await expect.element(page.getByRole("heading", { level: 1, name: "Blog post not found" })).toBeVisible();
    await page.getByRole("link", { name: "All posts" }).click();
    await expect.poll(() => titles().length).toBe(3);
    answer({ "GET /blog/:slug": tea });
    await open("/blog/where-it-was?from=mail");
    await expect.poll(() => location.pathname).toBe("/blog/tea");
  });

  test("retries a post that can't be fetched", async () => {
    keepBlog();
    answer({ "GET /blog/:slug": refusal(500, "internal") });
    await open("/blog/tea");
    await expect.element(page.getByRole("heading", { level: 1, name: "Failed to fetch blog post" })).toBeVisible();
    answer({ "GET /blog/:slug": tea });
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.element(page.getByRole("heading", { level: 1, name: "About tea" })).toBeVisible();
  });

  test("shows the link to the editor to superusers", async () => {
    keepBlog();
    const edit = page.getByRole("link", { name: "Edit this post" });
    await openPage("/blog/tea", { as: "superuser" });
    await expect.element(edit).toHaveAttribute("href", expect.stringMatching(/^\/blog\/admin\/editor/));
  });
});
