import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { ConfigError } from "#server/config/values.ts";
import { startTestServer, temporaryFolder } from "#tests/server/harness.ts";

const tag = "https://www.googletagmanager.com/gtag/js?id=G-ABC&l=dataLayer";
const lookup = "https://get.geojs.io/v1/ip/geo.json";
const configured = {
  ANALYTICS_TAG_URL: tag,
  GEOLOCATION_URL: lookup,
  ANALYTICS_CONNECT_ORIGINS: "https://*.google-analytics.com, https://*.analytics.google.com",
};

/** Requests the page of a server with these environment variables. */
async function pageWith(env: Record<string, string>) {
  const distDir = await temporaryFolder();
  await mkdir(join(distDir, "assets"));
  const html = '<!doctype html><head><meta name="parlance-api" content="" /></head><p>Parlance</p>';
  await writeFile(join(distDir, "index.html"), html);
  const server = await startTestServer({ env, distDir });
  const answer = await fetch(`${server.pageUrl}/`);
  const policy = (answer.headers.get("Content-Security-Policy") ?? "").split("; ");
  const directive = (name: string) =>
    policy
      .find((one) => one.startsWith(`${name} `))
      ?.split(" ")
      .slice(1);
  return { html: await answer.text(), directive, apiUrl: server.apiUrl, plain: html };
}

describe("page with and without analytics", () => {
  // SPEC 7 Third-party: "An analytics tag is loaded from the page HTML."
  // PROMISE analytics: Nothing is measured without consent; "do not track" is respected
  test("adds nothing to the page and its policy when no analytics is configured", async () => {
    const { html, directive, apiUrl, plain } = await pageWith({});
    // Every page names the languages that the server recognizes, translates, and offers for trying out.
    const languages = /<meta name="parlance-(hears|translates|tries)" content="[a-zA-Z:, -]*" \/>/g;
    expect(html.replace(languages, "")).toBe(plain.replace('content=""', `content="${apiUrl}"`));
    expect(directive("script-src")).toEqual(["'self'", "'wasm-unsafe-eval'"]);
    expect(directive("connect-src")).toEqual(["'self'", apiUrl, apiUrl.replace("http", "ws")]);
    expect(directive("trusted-types")).toEqual(["vault", "inspection", "recogniser", "translator", "offline"]);
  });

  // SPEC 7 Third-party: "An analytics tag is loaded from the page HTML."
  test("adds the tag's and the lookup's addresses to the page and only their origins to its policy", async () => {
    const { html, directive, apiUrl } = await pageWith(configured);
    expect(html).toContain(`<meta name="parlance-analytics" content="${tag.replace("&", "&amp;")}" />`);
    expect(html).toContain(`<meta name="parlance-geolocation" content="${lookup}" />`);
    expect(html).toContain(`<meta name="parlance-api" content="${apiUrl}" />`);
    expect(directive("script-src")).toEqual(["'self'", "'wasm-unsafe-eval'", "https://www.googletagmanager.com"]);
    expect(directive("connect-src")?.slice(3)).toEqual([
      "https://www.googletagmanager.com",
      "https://get.geojs.io",
      "https://*.google-analytics.com",
      "https://*.analytics.google.com",
    ]);
    expect(directive("trusted-types")).toEqual(["vault", "inspection", "recogniser", "translator", "offline", "analytics"]);
    expect(directive("require-trusted-types-for")).toEqual(["'script'"]);
    expect(directive("default-src")).toEqual(["'none'"]);
    expect(directive("img-src")?.join(" ")).not.toContain("google");
  });

  test("allows only the tag's origin when no lookup is configured", async () => {
    const { html, directive } = await pageWith({ ANALYTICS_TAG_URL: "https://stats.example.org/script.js" });
    expect(html).not.toContain("parlance-geolocation");
    expect(directive("connect-src")?.slice(3)).toEqual(["https://stats.example.org"]);
  });

  test("escapes the tag's address in the page's attribute", async () => {
    const { html } = await pageWith({ ANALYTICS_TAG_URL: `https://stats.example.org/s.js?a="><script>&b='x'` });
    expect(html).toContain('content="https://stats.example.org/s.js?a=%22%3E%3Cscript%3E&amp;b=%27x%27"');
    expect(html).not.toContain("<script>");
  });
});

describe("analytics configuration", () => {
  const complaint = (env: Record<string, string>) => {
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return "";
  };

  test.each([
    "not an address",
    "http://stats.example.org/script.js",
    "//stats.example.org/script.js",
    "data:text/javascript,alert(1)",
    "javascript:alert(1)",
    "https://ada:secret@stats.example.org/script.js",
    "https://stats.example.org/script.js#part",
    "http://127.0.0.1.example.org/script.js",
  ])("refuses %s as the address of a tag or a lookup", (wrong) => {
    const said = /: ".*" must be an https address such as https:\/\/\S+ \(http only for localhost\)\.$/;
    expect(complaint({ ANALYTICS_TAG_URL: wrong })).toMatch(said);
    expect(complaint({ ANALYTICS_TAG_URL: wrong })).toContain("ANALYTICS_TAG_URL: ");
    expect(complaint({ ANALYTICS_TAG_URL: tag, GEOLOCATION_URL: wrong })).toMatch(said);
  });

  test.each([
    "*",
    "https://*",
    "https://*.com",
    "https:",
    "google-analytics.com",
    "http://collect.example.org",
    "https://collect.example.org/path",
    "https://collect.example.org; script-src *",
    "https://collect.example.org 'unsafe-inline'",
    "https://a.example.org,http://b.example.org",
  ])("refuses %s as a list of origins", (wrong) => {
    const said = complaint({ ANALYTICS_TAG_URL: tag, ANALYTICS_CONNECT_ORIGINS: wrong });
    expect(said).toMatch(/^ANALYTICS_CONNECT_ORIGINS: ".*" must be https origins /);
  });

  test.each([["GEOLOCATION_URL", lookup] as const, ["ANALYTICS_CONNECT_ORIGINS", "https://collect.example.org"] as const])(
    "refuses %s without a tag",
    (name, value) => {
      expect(complaint({ [name]: value })).toBe(`ANALYTICS_TAG_URL: is missing, and ${name} needs it.`);
    },
  );

  test("accepts http only for this machine", () => {
    const local = { ANALYTICS_TAG_URL: "http://localhost:8080/tag.js?id=x", GEOLOCATION_URL: "http://127.0.0.1:8081/" };
    expect(complaint(local)).toBe("");
    expect(complaint({ ...local, ANALYTICS_CONNECT_ORIGINS: "http://[::1]:9000" })).toBe("");
  });
});
