import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import { acceptLanguages, languagePaths } from "#src/api/languages.ts";
import { read, startTestServer } from "#tests/server/harness.ts";

const shapes = { "/languages/codes": "array", "/languages/supported": "supportedLanguages", "/languages/grouped": "languages" };

describe("routes of the languages", () => {
  // SPEC 7 Languages and health: "It accepts an array, or a list under languages, data or supportedLanguages"
  test("returns the languages in four shapes that the page accepts, without signing in", async () => {
    const { apiUrl } = await startTestServer();
    for (const path of languagePaths) {
      const answer = await read(await fetch(`${apiUrl}${path}`), 200, v.unknown());
      const shape = Object.entries(shapes).find(([one]) => one === path)?.[1] ?? "languages";
      expect(acceptLanguages(answer)).toEqual({ shape, languages: builtInLanguages, leftOut: 0 });
    }
  });

  test("groups the languages by script", async () => {
    const { apiUrl } = await startTestServer();
    const Groups = v.object({ groups: v.array(v.object({ script: v.string(), codes: v.array(v.string()) })) });
    const { groups } = await read(await fetch(`${apiUrl}/languages/grouped`), 200, Groups);
    expect(groups[0]?.script).toBe("Latn");
    expect(groups.find(({ script }) => script === "Cyrl")?.codes).toContain("uk");
    expect(groups.flatMap(({ codes }) => codes).sort()).toEqual(builtInLanguages.map(({ code }) => code).sort());
  });

  test("answers 304 to a repeated request for the languages and allows caching", async () => {
    const { apiUrl, pageUrl } = await startTestServer();
    for (const path of languagePaths) {
      const first = await fetch(`${apiUrl}${path}`, { headers: { Origin: pageUrl } });
      expect(first.headers.get("cache-control")).toBe("public, max-age=3600");
      expect(first.headers.get("access-control-allow-origin")).toBe(pageUrl);
      expect(first.headers.get("vary")).toContain("Origin");
      const etag = first.headers.get("etag") ?? "";
      const again = await fetch(`${apiUrl}${path}`, { headers: { "If-None-Match": etag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
      expect((await fetch(`${apiUrl}${path}`, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
    }
  });

  test("accepts only GET requests for the languages", async () => {
    const { apiUrl } = await startTestServer();
    expect((await fetch(`${apiUrl}/languages`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${apiUrl}/languages/more`)).status).toBe(404);
  });
});

// SPEC 7 Languages and health: "GET / is a backend health check."
test("GET / says whether the API and its database work", async () => {
  const { apiUrl } = await startTestServer();
  const answer = await fetch(`${apiUrl}/`);
  expect([answer.status, await answer.json()]).toEqual([200, { name: "Parlance", status: "ok" }]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});
