import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { createCache } from "#server/page/cache.ts";
import { visitorOf } from "#server/page/visitors.ts";
import { startTestServer, temporaryFolder } from "#tests/server/harness.ts";

describe("the visitor's language", () => {
  const app = new Hono().get("*", (c) => c.json(visitorOf(c)));
  const asked = async (path: string, headers: Record<string, string>) => (await app.request(path, { headers })).json();

  test("is that of the address, then of the cookie, then of the browser, as in the page", async () => {
    const all = { "Accept-Language": "es-MX,es;q=0.9", Cookie: "a=b; i18next=da" };
    expect(await asked("/?lng=pt", all)).toEqual({ language: "pt-BR", locale: "pt-BR" });
    expect(await asked("/", all)).toEqual({ language: "da", locale: "da" });
    expect(await asked("/", { "Accept-Language": "es-MX,es;q=0.9" })).toEqual({ language: "es", locale: "es-MX" });
    expect(await asked("/", { "Accept-Language": "ja" })).toEqual({ language: "en", locale: "en" });
    expect(await asked("/", { "Accept-Language": "en-GB" })).toEqual({ language: "en", locale: "en-GB" });
  });

  test("falls through where a language is not offered", async () => {
    const all = { "Accept-Language": "xx,fr;q=0.5,de-CH", Cookie: "i18next=da" };
    expect(await asked("/?lng=xx", all)).toEqual({ language: "da", locale: "da" });
    expect(await asked("/?lng=", all)).toEqual({ language: "da", locale: "da" });
    expect(await asked("/?lng=xx&lng=PT", all)).toEqual({ language: "pt-BR", locale: "pt-BR" });
    expect(await asked("/?lng=xx", { ...all, Cookie: "i18next=xx" })).toEqual({ language: "de", locale: "de-CH" });
    expect(await asked("/", { "Accept-Language": "ja,de;q=0,fr;q=0.1" })).toEqual({ language: "fr", locale: "fr" });
  });

  test("is English for whatever is no language, and no region is taken from that", async () => {
    for (const odd of ["", "*", ";;,", "en-../../x", `de-${"A".repeat(5000)}`, "../de"]) {
      expect(await asked("/", { "Accept-Language": odd })).toMatchObject({ locale: expect.stringMatching(/^(en|de)$/) });
    }
  });
});

describe("what was made last", () => {
  test("is made once for all who ask, again after a failure, and forgotten when there is too much of it", async () => {
    const cache = createCache<number>(2);
    let made = 0;
    const make = async () => ++made;
    expect(await Promise.all([cache.get("a", make), cache.get("a", make)])).toEqual([1, 1]);
    await expect(cache.get("b", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.get("b", make)).toBe(2);
    // "a" was asked for last, so that "b" goes.
    await cache.get("a", make);
    await cache.get("c", make);
    expect([await cache.get("a", make), await cache.get("b", make)]).toEqual([1, 4]);
  });
});

test("the page's policy names the script in its HTML by its content, and no other", async () => {
  const distDir = await temporaryFolder();
  const script = "\n  document.documentElement.dataset.theme = 'dark';\n";
  await mkdir(join(distDir, "rendering"), { recursive: true });
  const html = `<head><script>${script}</script><meta name="parlance-api" content="" /></head><script type="module" src="/x.js"></script>`;
  await writeFile(join(distDir, "index.html"), html);
  await writeFile(join(distDir, "rendering", "template.html"), html);
  const server = await startTestServer({ distDir });
  const answer = await fetch(`${server.pageUrl}/`, { headers: { Accept: "text/html" } });
  const hash = createHash("sha256").update(script).digest("base64");
  expect(answer.headers.get("content-security-policy")).toContain(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}';`);
  expect(answer.headers.get("vary")).toMatch(/Accept-Language.*Cookie/);
  // What the build writes for the server is no address of the page.
  expect((await fetch(`${server.pageUrl}/rendering/template.html`, { headers: { "Sec-Fetch-Mode": "no-cors" } })).status).toBe(
    404,
  );
});

test("a post's address is rendered as HTML, and those of the blog's editors are not", async () => {
  const distDir = await temporaryFolder();
  await mkdir(join(distDir, "rendering"), { recursive: true });
  await writeFile(join(distDir, "index.html"), "<head></head>");
  await writeFile(join(distDir, "rendering", "template.html"), "<head></head>");
  const pages = { program: "rendering/renderer.mjs", sheets: { "/blog": [], "/blog/$slug": [] } };
  await writeFile(join(distDir, "rendering", "pages.json"), JSON.stringify(pages));
  const renderer = `
    export const renderPage = async () => ({ html: "<p>rendered</p>", data: "", links: "", title: "", description: "" });
    export const pageDocument = (template, page, rendered) => template + rendered.html;`;
  await writeFile(join(distDir, "rendering", "renderer.mjs"), renderer);
  const server = await startTestServer({ distDir });
  // `fetch` always says that it is no navigation.
  const asked = async (path: string) => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    get(server.pageUrl + path, resolve);
    return text(await promise);
  };
  await expect.poll(() => asked("/blog")).toContain("rendered");
  for (const path of ["/blog/admin", "/blog/popular"]) expect(await asked(path)).not.toContain("rendered");
});
