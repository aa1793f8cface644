import { expect, test, vi } from "vitest";
import type { BlogAnalytics } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

const overview = {
  totalPosts: 1_003,
  totalViews: 3_000,
  totalLikes: 90,
  totalDislikes: 10,
  avgEngagementRate: 1 / 30,
  publishedPosts: 1_002,
  draftPosts: 1,
  generatedPosts: 250,
  manualPosts: 753,
};
const full: BlogAnalytics = {
  overview,
  topPosts: [
    { id: "p1", title: "=1+1, or not", slug: "sums", views: 1_234, likes: 2, dislikes: 1, engagementScore: 1_244 },
    { id: "p2", title: "No address", views: 1, likes: 0, dislikes: 0, engagementScore: 1 },
  ],
  recentActivity: [
    { type: "views", postTitle: "Sums", postId: "p1", count: 1, date: "2026-03-02" },
    { type: "likes", postTitle: "Gone", count: 2, date: "2026-03-01" },
    { type: "dislikes", postTitle: "Gone", count: 1_000, date: "2026-01-31" },
    { type: "published", postTitle: "Gone", count: 1, date: "2026-01-30" },
    { type: "shared", postTitle: "Gone", count: 3, date: "2026-03-03" },
  ],
  topTopics: [
    { topic: "sums", count: 4 },
    { topic: "odds", count: 1 },
  ],
  engagementTrends: {
    daily: [
      { date: "2026-03-01", views: 1_000, likes: 1, dislikes: 0 },
      { date: "2026-03-02", views: 234, likes: 3, dislikes: 2 },
    ],
  },
};
const empty: BlogAnalytics = {
  ...full,
  overview: { ...overview, totalPosts: 0 },
  topPosts: [],
  recentActivity: [],
  topTopics: [],
};

async function open(analytics: BlogAnalytics, path = "/admin/blog/analytics"): Promise<string[]> {
  const asked: string[] = [];
  answer({
    "GET /admin/blog/analytics": ({ request }) => {
      asked.push(new URL(request.url).search);
      return { ...analytics };
    },
  });
  await openPage(path, { as: "superuser" });
  await expect.element(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  return asked;
}
const region = (name: string) => page.getByRole("region", { name });
const refresh = page.getByRole("button", { name: "Refresh" });

test("shows the totals of the blog", async () => {
  expect(await open(full)).toEqual(["?days=30"]);
  const cards = [...document.querySelectorAll("main dl > div")].map((card) => card.textContent);
  expect(cards).toEqual([
    "Views3,000",
    "Likes90",
    "Dislikes10",
    "Engagement rate3.3%(likes + dislikes) ÷ views",
    "Posts1,0031,002 published · 1 draft",
    "Who wrote the postsGenerated: 250By hand: 753",
  ]);
  const share = document.querySelector<HTMLElement>("main dl dd[aria-hidden] > span")?.style.inlineSize ?? "";
  expect(Number.parseFloat(share)).toBeCloseTo(24.925, 2);
  await expect.element(page.getByRole("status").getByText("The numbers are up to date.")).toBeInTheDocument();
  await expect.element(page.getByText("Sample data")).not.toBeInTheDocument();
});

test("shows each day's numbers as a chart and as a table", async () => {
  await open(full);
  await expect.element(page.getByText("In 2 days · Views: 1,234 · Likes: 4 · Dislikes: 2")).toBeVisible();
  for (const summary of page.getByText("Show as a table").all()) await summary.click();
  const table = (name: string) => textsOf(page.getByRole("table", { name }).getByRole("row"));
  expect(table("Views on each of the last 2 days")).toEqual(["Day Views", "1 March 2026 1,000", "2 March 2026 234"]);
  expect(table("Likes and dislikes on each of the last 2 days")).toEqual([
    "Day Likes Dislikes",
    "1 March 2026 1 0",
    "2 March 2026 3 2",
  ]);
  await expect.element(page.getByRole("img", { name: "Views on each of the last 2 days" })).toBeVisible();
});

test("lists the top posts, their topics, and the recent activity", async () => {
  await open(full);
  expect(textsOf(region("Top posts").getByRole("row"))).toEqual([
    "Post Views Likes Dislikes Score Edit",
    "=1+1, or not 1,234 2 1 1,244",
    "No address 1 0 0 1",
  ]);
  await expect.element(page.getByText("Score = views + 10 × (likes − dislikes). A like counts as 10 views")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "=1+1, or not", exact: true })).toHaveAttribute("href", "/blog/sums");
  await expect.element(page.getByRole("link", { name: "No address", exact: true })).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Edit “No address”" })).toHaveAttribute("href", "/admin/blog/editor?id=p2");
  expect(textsOf(region("Top topics").getByRole("listitem"))).toEqual(["sums 4 posts", "odds 1 post"]);
  const bars = [...document.querySelectorAll<HTMLElement>("main ol [aria-hidden] > span")].map((bar) => bar.style.inlineSize);
  expect(bars).toEqual(["100%", "25%"]);
  expect(textsOf(region("Recent activity").getByRole("listitem"))).toEqual([
    "1 view Sums today",
    "2 likes Gone yesterday",
    "1,000 dislikes Gone 30 days ago",
    "Published Gone 30 January 2026",
    "shared: 3 Gone 3 March 2026",
  ]);
  await expect.element(page.getByRole("link", { name: "Sums", exact: true })).toHaveAttribute("href", "/admin/blog/editor?id=p1");
});

test("exports days and top posts as CSV files without formulas that a spreadsheet evaluates", async () => {
  await open(full);
  const files: string[][] = [];
  const url = vi.spyOn(URL, "createObjectURL");
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(async function (this: HTMLAnchorElement) {
    const file = url.mock.calls.at(-1)?.[0];
    if (file instanceof Blob)
      files.push([this.download, new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer())]);
  });
  await page.getByRole("button", { name: "Download days (CSV)" }).click();
  await page.getByRole("button", { name: "Download top posts (CSV)" }).click();
  await expect
    .poll(() => files)
    .toEqual([
      ["parlance-blog-days-2026-03-02.csv", "\ufeffdate,views,likes,dislikes\r\n2026-03-01,1000,1,0\r\n2026-03-02,234,3,2\r\n"],
      [
        "parlance-blog-top-posts-2026-03-02.csv",
        '\ufeffid,title,slug,views,likes,dislikes,engagementScore\r\np1,"\'=1+1, or not",sums,1234,2,1,1244\r\np2,No address,,1,0,0,1\r\n',
      ],
    ]);
  click.mockRestore();
});

test("loads another number of days, and keeps it in the address", async () => {
  const asked = await open(full, "/blog/admin/analytics?days=8");
  const ranges = page.getByRole("navigation", { name: "Period" });
  expect(textsOf(ranges.getByRole("link"))).toEqual(["7 days", "30 days", "90 days", "365 days"]);
  await expect.element(ranges.getByRole("link", { name: "30 days" })).toHaveAttribute("aria-current", "page");
  await ranges.getByRole("link", { name: "7 days" }).click();
  await expect.poll(() => location.pathname + location.search).toBe("/blog/admin/analytics?days=7");
  await expect.element(ranges.getByRole("link", { name: "7 days" })).toHaveAttribute("aria-current", "page");
  await expect.poll(() => asked).toEqual(["?days=30", "?days=7"]);
});

test("explains what to do when there is nothing to count yet", async () => {
  const said = async (change: Partial<BlogAnalytics["overview"]>) => {
    answer({ "GET /admin/blog/analytics": { ...empty, overview: { ...overview, ...change } } });
    await refresh.click();
  };
  await open(empty);
  await expect.element(page.getByText("There are no posts yet, so there is nothing to count.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Write the first post" })).toHaveAttribute("href", "/admin/blog/editor");
  await expect.element(page.getByRole("link", { name: "Generate one" })).toHaveAttribute("href", "/admin/blog/generator");
  await expect.element(page.getByText("No published post has a score above zero yet.")).toBeVisible();
  await expect.element(page.getByText("No published post has a topic yet.")).toBeVisible();
  await expect.element(page.getByText("No activity yet.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Download top posts (CSV)" })).not.toBeInTheDocument();
  await said({ publishedPosts: 0 });
  await expect.element(page.getByText("No published posts yet. Only published posts can be read and counted.")).toBeVisible();
  await said({ totalViews: 0 });
  await expect.element(page.getByText("No views yet.")).toBeVisible();
  await said({});
  await expect.element(page.getByText("No views yet.")).not.toBeInTheDocument();
});

// SPEC 8: "falls back to sample analytics data (7 daily entries)"
test("labels sample data everywhere until real numbers arrive", async () => {
  answer({ "GET /admin/blog/analytics": new Response(null, { status: 404 }) });
  await openPage("/admin/blog/analytics", { as: "superuser" });
  const alert = page.getByRole("alert");
  await expect.element(alert.getByText("This server has no blog analytics.")).toBeVisible();
  expect(textsOf(page.getByRole("heading", { level: 2 })).map((text) => text.replace(/ ?Sample data$/i, " (sample)"))).toEqual([
    "Overview (sample)",
    "Engagement by day (sample)",
    "Top posts (sample)",
    "Top topics (sample)",
    "Recent activity (sample)",
  ]);
  await expect.element(page.getByText("In 7 days · Views: 465 · Likes: 55 · Dislikes: 5")).toBeVisible();
  expect(textsOf(region("Top posts").getByRole("row")).slice(1)).toEqual([
    "Sample post 1 190 24 1 420",
    "Sample post 2 155 18 3 305",
    "Sample post 3 120 13 1 240",
  ]);
  await expect.element(page.getByRole("button", { name: "CSV" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Edit “" })).not.toBeInTheDocument();
  answer({ "GET /admin/blog/analytics": full });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Views: 1,234")).toBeVisible();
  await expect.element(page.getByText("Sample data")).not.toBeInTheDocument();
});

test("keeps the old numbers when a refresh fails, and says so", async () => {
  await open(full);
  answer({ "GET /admin/blog/analytics": refusal(500, "internal") });
  await refresh.click();
  const alert = page.getByRole("alert");
  await expect.element(alert).toMatchTextContent(/^Failed to fetch blog analytics.*You see earlier numbers\./);
  await expect.element(page.getByText("Views: 1,234")).toBeVisible();
  const slow = holdAnswer();
  answer({ "GET /admin/blog/analytics": slow.answer });
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect.element(refresh).toHaveAttribute("aria-busy", "true");
  slow.give({ ...full });
  await expect.element(alert).not.toBeInTheDocument();
});

test("shows only an error when the numbers can't be fetched", async () => {
  answer({ "GET /admin/blog/analytics": refusal(500, "internal") });
  await openPage("/admin/blog/analytics", { as: "superuser" });
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to fetch blog analytics/);
  await expect.element(page.getByRole("heading", { level: 2 })).not.toBeInTheDocument();
  answer({ "GET /admin/blog/analytics": { ...full } });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByRole("heading", { name: "Top posts" })).toBeVisible();
});
