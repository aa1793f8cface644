import { describe, expect, test } from "vitest";
import { BlogPost, type Segment } from "#contract/index.ts";
import { renderEmail } from "#server/mail/emails.ts";
import { feedHtml } from "#server/page/feed-html.ts";
import { xss } from "#tests/fixtures/vectors.ts";
import { base, post, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { save } from "#tests/server/transcription/saved.ts";

/** Elements and attributes of the HTML that can run something; text in it is harmless. */
function dangers(html: string): string[] {
  const tags = html.match(/<[a-z!/?][^<>]*>?/gi) ?? [];
  return tags.filter(
    (tag) =>
      /^<\/?(script|iframe|object|embed|base|meta|link|style|svg|math|form|template|portal|frameset|noscript)\b/i.test(tag) ||
      /\s(on\w+|srcdoc|formaction|style)\s*=/i.test(tag.replaceAll(/"[^"]*"/g, '""')) ||
      /(href|src|action|poster|background)\s*=\s*"?\s*(javascript|vbscript|data|blob|file):/i.test(tag),
  );
}

describe("script injection", () => {
  test("tests at least two hundred different injections", () => {
    expect(new Set(xss).size).toBeGreaterThanOrEqual(200);
    expect(dangers("<img src=x onerror=1><script>1</script>").length).toBe(3);
  });

  test("an injection in a post's Markdown runs nothing in a feed", () => {
    for (const vector of xss) {
      expect(dangers(feedHtml(vector, "https://parlance.example/blog/x")), vector).toEqual([]);
      expect(dangers(feedHtml(`a ${vector} b\n\n${vector}`, "https://parlance.example/blog/x")), vector).toEqual([]);
    }
  });

  test("an injection in a name runs nothing in a mail", async () => {
    const options = {
      recipient: "a@example.org",
      language: "en",
      link: "https://parlance.example/x",
      page: "https://parlance.example",
    } as const;
    const plain = dangers((await renderEmail("confirm", { ...options, name: "" })).html);
    for (const name of xss) expect(dangers((await renderEmail("confirm", { ...options, name })).html), name).toEqual(plain);
  });

  test("an injection in a post's title, summary or text runs nothing in pages and feeds", async () => {
    const server = await startTestServer();
    const superuser = await signUpSuperuser(server);
    const before = dangers(await (await fetch(`${server.pageUrl}/blog/none`, { headers: { Accept: "text/html" } })).text());
    for (const vector of xss.filter((_, i) => i % 8 === 0)) {
      const title = `${vector.slice(0, 150)} ${crypto.randomUUID()}`.replaceAll("\u0000", "");
      const answer = await superuser.call("POST", "/admin/blog", {
        title,
        summary: vector.slice(0, 200).replaceAll("\u0000", ""),
        content: vector.replaceAll("\u0000", ""),
        status: "published",
      });
      expect(answer.status, vector).toBe(201);
      const { slug } = await read(answer, 201, BlogPost);
      const page = await fetch(`${server.pageUrl}/blog/${slug}`, { headers: { Accept: "text/html" } });
      const html = await page.text();
      const data = html.replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, "");
      expect(
        dangers(data).filter((tag) => !before.includes(tag) && !/^<(meta|link)\s/i.test(tag)),
        vector,
      ).toEqual([]);
      expect(page.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    }
    for (const path of ["/blog/rss.xml", "/blog/atom.xml"]) {
      const feed = await fetch(`${server.pageUrl}${path}`);
      expect(feed.status).toBe(200);
      // A title in RSS is plain text; in Atom it is escaped HTML.
      const xml = (await feed.text()).replaceAll(path.includes("rss") ? /<title>.*?<\/title>/gs : "", "");
      expect(xml.match(/<(script|svg|iframe|object|embed|style|form)\b|<[a-z][^<>]*\son\w+=/gi)).toBeNull();
    }
  });

  test("an injection in a transcript runs nothing in any export format", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const segments = xss.map(
      (text, i): Segment => ({ start: i, end: i + 1, text, words: [], speaker: text.slice(0, 80), translation: text }),
    );
    const draft = { title: xss[0] ?? "", targetLanguage: "es" };
    const { id: whole } = await save(person, { ...draft, segments });
    // A Word file or PDF of all injections takes long, and only its headers are checked.
    const { id: part } = await save(person, { ...draft, segments: segments.filter((_, i) => i % 8 === 0) });
    for (const format of ["txt", "srt", "vtt", "json", "docx", "pdf", "md", "html"]) {
      const id = format === "docx" || format === "pdf" ? part : whole;
      const answer = await person.call("GET", `${base}/transcription/${id}/export?format=${format}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Content-Type")).not.toMatch(/html|svg|xhtml/);
      expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment/);
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      const text = await answer.text();
      // The only markup in WebVTT is the voice and the language.
      if (format === "vtt") expect((text.match(/<[^>\s]+/g) ?? []).filter((tag) => !/^<\/?(v|lang)$/.test(tag))).toEqual([]);
    }
  });

  test("answers JSON to every refusal that repeats an injection", async () => {
    const server = await startTestServer();
    for (const vector of xss) {
      const answers = [
        await post(server, "/auth/login", { email: vector, password: vector }),
        await fetch(`${server.apiUrl}/blog/${encodeURIComponent(vector.toWellFormed())}`),
        await fetch(
          `${server.apiUrl}/${encodeURIComponent(vector.toWellFormed())}?x=${encodeURIComponent(vector.toWellFormed())}`,
        ),
      ];
      for (const answer of answers) {
        expect(answer.headers.get("Content-Type")).toBe("application/json");
        expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
        await answer.body?.cancel();
      }
    }
  });
});
