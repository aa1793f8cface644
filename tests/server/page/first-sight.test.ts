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

  test("takes the language from the address, then from the cookie, then from the browser", async () => {
    const all = { "Accept-Language": "es-MX,es;q=0.9", Cookie: "a=b; i18next=da" };
    expect(await asked("/?lng=pt", all)).toEqual({ language: "pt-BR", locale: "pt-BR" });
    expect(await asked("/", all)).toEqual({ language: "da", locale: "da" });
    expect(await asked("/", { "Accept-Language": "es-MX,es;q=0.9" })).toEqual({ language: "es", locale: "es-MX" });
    expect(await asked("/", { "Accept-Language": "ja" })).toEqual({ language: "en", locale: "en" });
    expect(await asked("/", { "Accept-Language": "en-GB" })).toEqual({ language: "en", locale: "en-GB" });
  });

  test("skips languages that the product does not offer", async () => {
    const all = { "Accept-Language": "xx,fr;q=0.5,de-CH", Cookie: "i18next=da" };
    expect(await asked("/?lng=xx", all)).toEqual({ language: "da", locale: "da" });
    expect(await asked("/?lng=", all)).toEqual({ language: "da", locale: "da" });
    expect(await asked("/?lng=xx&lng=PT", all)).toEqual({ language: "pt-BR", locale: "pt-BR" });
    expect(await asked("/?lng=xx", { ...all, Cookie: "i18next=xx" })).toEqual({ language: "de", locale: "de-CH" });
    expect(await asked("/", { "Accept-Language": "ja,de;q=0,fr;q=0.1" })).toEqual({ language: "fr", locale: "fr" });
  });

  test("uses English and no region for an invalid language header", async () => {
    for (const odd of ["", "*", ";;,", "en-../../x", `de-${"A".repeat(5000)}`, "../de"]) {
      expect(await asked("/", { "Accept-Language": odd })).toMatchObject({ locale: expect.stringMatching(/^(en|de)$/) });
    }
  });
});

describe("cache of rendered pages", () => {
  test("computes a value once for simultaneous requests, again after a failure, and drops the least recent", async () => {
    const cache = createCache<number>(2);
    let made = 0;
    const make = async () => ++made;
    expect(await Promise.all([cache.get("a", make), cache.get("a", make)])).toEqual([1, 1]);
    await expect(cache.get("b", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.get("b", make)).toBe(2);
    // "a" is the most recent, so "b" is dropped.
    await cache.get("a", make);
    await cache.get("c", make);
    expect([await cache.get("a", make), await cache.get("b", make)]).toEqual([1, 4]);
  });
});

test("the page's policy allows only the inline script with the hash of its content", async () => {
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
  // The build's files for the server have no address of their own.
  expect((await fetch(`${server.pageUrl}/rendering/template.html`, { headers: { "Sec-Fetch-Mode": "no-cors" } })).status).toBe(
    404,
  );
});

test("renders a post's address as HTML but not the addresses of the blog's editors", async () => {
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
  // `fetch` always marks its requests as no navigation.
  const asked = async (path: string) => {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    get(server.pageUrl + path, resolve);
    return text(await promise);
  };
  await expect.poll(() => asked("/blog")).toContain("rendered");
  for (const path of ["/blog/admin", "/blog/popular"]) expect(await asked(path)).not.toContain("rendered");
});
