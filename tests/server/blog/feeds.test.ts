import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { parseFeed } from "feedsmith";
import { describe, expect, test } from "vitest";
import { startTestServer, temporaryFolder, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { xmlProblems } from "#tests/server/zip.ts";
import { publish, write } from "./posts.ts";

const index = `<!doctype html>
<html lang="en">
  <head>
    <title>Parlance</title>
    <meta name="description" content="Speech into text." />
    <meta name="parlance-api" content="" />
  </head>
  <body></body>
</html>
`;
/** Text that breaks out of attributes, elements, CDATA sections and replacement patterns unless it is escaped. */
const nasty = `"'><script>alert(1)</script> & ]]> $& $1 </script><!-- \u0000\u0008`;

async function setUp() {
  const clock = testClock();
  const distDir = await temporaryFolder();
  await mkdir(distDir, { recursive: true });
  await writeFile(join(distDir, "index.html"), index);
  const server = await startTestServer({ now: clock.now, distDir });
  const superuser = await signUpSuperuser(server);
  return { clock, server, superuser };
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Requests like a crawler, without a browser's headers. */
function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sending.on("error", reject);
    sending.end();
  });
}

/** The XML with CDATA sections turned into escaped text, as an XML parser reads them. */
function unsectioned(xml: string): string {
  return xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
}

describe("feed of the blog", () => {
  test("writes a feed quickly when a post nests five thousand quotations", async () => {
    const { server, superuser } = await setUp();
    const marks = [">".repeat(5_000), "> ".repeat(5_000), "- ".repeat(5_000)];
    await publish(superuser, { title: "Deep", content: marks.map((mark) => `${mark} in the depth`).join("\n\n") });
    const { status, text } = await ask(`${server.pageUrl}/blog/atom.xml`);
    expect(status).toBe(200);
    expect(text).toMatch(/<blockquote>[\s\S]*<blockquote>[\s\S]*in the depth/);
    expect(text.match(/<blockquote/g)?.length).toBeLessThan(30);
  });

  // PROMISE blog: Crawlers get feeds, sitemap, robots.txt and the topic of a post
  test.each(["rss", "atom"])("the %s feed has the newest posts with their texts as well-formed XML", async (kind) => {
    const { clock, server, superuser } = await setUp();
    for (let number = 1; number <= 22; number++) {
      await publish(superuser, { title: `Post ${number}`, topics: ["Speech"] });
      clock.advance(1000);
    }
    await write(superuser, { title: "Draft" });
    const content = `${nasty}\n\n<b onclick="x">bold</b> [bad](javascript:alert(1)) [good](/about) ![p](data:text/html,x)\n\n| a |\n|---|\n| 1 |`;
    const [title, topic] = [`${nasty}\ud800\uffff`, '<b> & "]]>'];
    const { id, slug } = await publish(superuser, { title, summary: title, content, topics: [topic] });
    const { status, headers, text } = await ask(`${server.pageUrl}/blog/${kind}.xml`);
    expect([status, headers["content-type"]]).toEqual([200, `application/${kind}+xml; charset=utf-8`]);
    expect(xmlProblems(unsectioned(text))).toEqual([]);
    expect(text.match(/<(item|entry)>/g)).toHaveLength(20);
    expect(text).not.toContain("Draft");
    expect(text).toContain(`${server.pageUrl}/blog/${slug}`);
    expect(text).toContain(`urn:uuid:${id}`);
    expect(text).toContain(`<a href="${server.pageUrl}/about">good</a>`);
    expect(text).toContain("<td>1</td>");
    expect(JSON.stringify(parseFeed(text))).toContain(JSON.stringify(topic));
    for (const bad of ["javascript:", "onclick", "data:text"]) expect(text).not.toContain(bad);
    expect(text.indexOf("Post 22")).toBeLessThan(text.indexOf("Post 21"));
  });

  test("a feed can be filtered by language or topic and answers 304 when unchanged", async () => {
    const { server, superuser } = await setUp();
    const feed = async (query = "", headers = {}) => ask(`${server.pageUrl}/blog/rss.xml${query}`, headers);
    expect((await feed()).text).not.toContain("<item>");
    await publish(superuser, { title: "Deutsch", language: "de", topics: ["Sprache"] });
    await publish(superuser, { title: "English", topics: ["Speech"] });
    const german = await feed("?language=de");
    expect(german.text).toContain("<language>de</language>");
    expect(german.text).toContain("Deutsch");
    expect(german.text).not.toContain("English");
    expect((await feed("?topics=speech")).text).not.toContain("Deutsch");
    expect(await feed("?language=klingon")).toMatchObject({ status: 400, text: expect.stringContaining("language") });
    const tag = String(german.headers.etag);
    expect(await feed("?language=de", { "If-None-Match": tag })).toMatchObject({ status: 304, text: "" });
    await publish(superuser, { title: "Neu", language: "de" });
    expect((await feed("?language=de", { "If-None-Match": tag })).status).toBe(200);
  });
});

describe("sitemap and robots.txt", () => {
  // PROMISE blog: Crawlers get feeds, sitemap, robots.txt and the topic of a post
  test("the sitemap lists public pages and posts with the time of their last change", async () => {
    const { clock, server, superuser } = await setUp();
    const { id } = await publish(superuser, { title: "First" });
    await write(superuser, { title: "Draft" });
    clock.advance(1000);
    await superuser.call("PUT", `/admin/blog/${id}`, { content: "Changed" });
    const { headers, text } = await ask(`${server.pageUrl}/sitemap.xml`);
    expect(headers["content-type"]).toContain("application/xml");
    expect(xmlProblems(text)).toEqual([]);
    const first = `<loc>${server.pageUrl}/blog/first</loc><lastmod>2026-03-01T12:00:01.000Z</lastmod>`;
    expect(text).toContain(first);
    for (const path of ["/", "/about", "/privacy", "/blog"]) expect(text).toContain(`<loc>${server.pageUrl}${path}</loc>`);
    for (const path of ["draft", "admin", "dashboard"]) expect(text).not.toContain(path);
  });

  test("robots.txt names the sitemap and disallows private pages", async () => {
    const { server } = await setUp();
    const { text } = await ask(`${server.pageUrl}/robots.txt`);
    for (const path of ["/admin", "/blog/admin", "/dashboard", "/settings"]) expect(text).toContain(`Disallow: ${path}\n`);
    expect(text).toContain(`Sitemap: ${server.pageUrl}/sitemap.xml\n`);
    expect(text).not.toMatch(/Disallow: \/(blog)?\n/);
  });

  test("ignores the request's Host header in addresses for crawlers", async () => {
    const { superuser, server } = await setUp();
    await publish(superuser, { title: "First" });
    for (const path of ["/sitemap.xml", "/blog/rss.xml", "/blog/first", "/robots.txt"]) {
      const { text } = await ask(`${server.pageUrl}${path}`, { Host: "evil.example" });
      expect(text).toContain(server.pageUrl);
      expect(text).not.toContain("evil.example");
    }
  });
});

describe("page of a post", () => {
  // PROMISE blog: Crawlers get feeds, sitemap, robots.txt and the topic of a post
  test("describes the post in its HTML for crawlers that run no script", async () => {
    const { server, superuser } = await setUp();
    await superuser.call("PATCH", "/users/me", { name: "Ada" });
    const cover = {
      url: `${server.apiUrl}/blog/images/0cdfb754-f86d-4d27-af95-3f6347b4659f`,
      width: 800,
      height: 400,
      alt: "A shell",
    };
    const post = { title: "Título", summary: "En breve.", language: "es", topics: ["Voz"], cover };
    await publish(superuser, post);
    const { status, headers, text } = await ask(`${server.pageUrl}/blog/titulo?x=1`);
    expect([status, headers["cache-control"]]).toEqual([200, "no-cache"]);
    for (const part of [
      '<html lang="es"',
      "<title>Título · Parlance</title>",
      '<meta name="description" content="En breve." />',
      `<link rel="canonical" href="${server.pageUrl}/blog/titulo" />`,
      '<meta property="og:type" content="article" />',
      '<meta property="og:title" content="Título" />',
      `<meta property="og:image" content="${cover.url}" />`,
      '<meta property="og:image:alt" content="A shell" />',
      '<meta name="twitter:card" content="summary_large_image" />',
      '<meta property="article:published_time" content="2026-03-01T12:00:00.000Z" />',
      '<meta property="article:tag" content="Voz" />',
      `<link rel="alternate" href="${server.pageUrl}/blog/rss.xml" type="application/rss+xml"`,
      `<meta name="parlance-api" content="${server.apiUrl}"`,
    ]) {
      expect(text).toContain(part);
    }
    const [, data = ""] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      "@type": "BlogPosting",
      headline: "Título",
      inLanguage: "es",
      author: { name: "Ada" },
    });
    expect(headers["content-security-policy"]).toMatch(/script-src 'self'[ ;]/);
  });

  test("escapes everything from a post, so that nothing in its text runs", async () => {
    const { server, superuser } = await setUp();
    const cover = { url: `javascript:alert(1)//"'><script>`, width: 1, height: 1, alt: nasty };
    const { slug } = await publish(superuser, { title: nasty, summary: nasty, topics: [nasty.slice(0, 30)], cover });
    const { text } = await ask(`${server.pageUrl}/blog/${slug}`);
    expect(text.match(/<script/g)).toEqual(["<script"]);
    expect(text.match(/<\/script>/g)).toHaveLength(1);
    expect(text).not.toContain("<!--");
    expect(text).not.toContain("og:image");
    expect(text.replace(/<script[\s\S]*<\/script>/, "")).not.toMatch(/alert\(1\)<|content="[^"]*<|\0/);
    const [, data = ""] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(text) ?? [];
    // No database stores the NUL character (server/db/values.ts).
    expect(JSON.parse(data)).toMatchObject({ headline: nasty.replaceAll("\0", "") });
  });

  test("answers 404 with a page that loads when the post does not exist", async () => {
    const { server, superuser } = await setUp();
    await write(superuser, { title: "Draft" });
    for (const path of ["nothing", "draft", "Not%20A%20Slug", "a".repeat(500)]) {
      const { status, text } = await ask(`${server.pageUrl}/blog/${path}`, { Accept: "text/html" });
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('<meta name="robots" content="noindex" />');
      expect(text).toContain("<body>");
    }
  });

  test("redirects a post's former address to its present one", async () => {
    const { server, superuser } = await setUp();
    const { id } = await publish(superuser, { title: "First" });
    await superuser.call("PUT", `/admin/blog/${id}`, { slug: "second" });
    const { status, headers } = await ask(`${server.pageUrl}/blog/first?utm=1`);
    expect([status, headers.location]).toEqual([301, `${server.pageUrl}/blog/second?utm=1`]);
    expect(headers["cache-control"]).toBe("no-cache");
  });

  test("serves the blog's own pages with the blog's head and its administration without", async () => {
    const { server } = await setUp();
    for (const path of ["/blog", "/blog/"]) {
      const { status, text } = await ask(`${server.pageUrl}${path}`);
      expect(status).toBe(200);
      expect(text).toContain(`<link rel="canonical" href="${server.pageUrl}/blog" />`);
      expect(text).toContain("application/atom+xml");
    }
    for (const path of ["/blog/admin", "/blog/admin/editor", "/dashboard"]) {
      const { status, text } = await ask(`${server.pageUrl}${path}`, { Accept: "text/html" });
      expect(status).toBe(200);
      expect(text).toContain("<title>Parlance</title>");
      expect(text).not.toContain("canonical");
    }
  });
});
