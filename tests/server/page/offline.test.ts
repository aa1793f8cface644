import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestServer, temporaryFolder } from "#tests/server/harness.ts";

/** Writes the files of the build (scripts/build.mjs) that matter to the server. */
async function builtPage(): Promise<string> {
  const distDir = await temporaryFolder();
  const shell = '<html lang="de"><head><meta name="parlance-api" content="" /></head><body>shell</body></html>';
  for (const folder of ["rendering", "pages/de", "pages/en", "app"]) await mkdir(join(distDir, folder), { recursive: true });
  await writeFile(join(distDir, "service-worker.js"), "self.x = 1;");
  await writeFile(join(distDir, "app/de.webmanifest"), JSON.stringify({ name: "Parlance" }));
  await writeFile(join(distDir, "pages/de/shell.html"), shell);
  await writeFile(join(distDir, "pages/en/shell.html"), shell.replace('"de"', '"en"'));
  for (const name of ["index.html", "rendering/template.html", "offline.html"]) await writeFile(join(distDir, name), shell);
  return distDir;
}

test("serves the service worker without caching and with a policy that allows it", async () => {
  const server = await startTestServer({ distDir: await builtPage() });
  const answer = await fetch(`${server.pageUrl}/service-worker.js`);
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
    "no-cache",
  ]);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("worker-src 'self'");
  expect(policy).toContain("manifest-src 'self'");
  expect(policy).toMatch(/trusted-types [^;]*\boffline\b/);
});

test("serves the manifest of a language with its content type", async () => {
  const server = await startTestServer({ distDir: await builtPage() });
  const answer = await fetch(`${server.pageUrl}/app/de.webmanifest`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/manifest+json"]);
  expect((await fetch(`${server.pageUrl}/app/xx.webmanifest`, { headers: { "Sec-Fetch-Mode": "cors" } })).status).toBe(404);
});

test("the offline page has the API's address and the requested language but no personal data", async () => {
  const server = await startTestServer({ distDir: await builtPage() });
  const answer = await fetch(`${server.pageUrl}/offline.html`, {
    headers: { "Accept-Language": "de", Cookie: "refreshToken=somebody", "Sec-Fetch-Mode": "cors" },
  });
  const html = await answer.text();
  expect([answer.status, answer.headers.get("cache-control"), answer.headers.get("set-cookie")]).toEqual([200, "no-cache", null]);
  expect(html).toContain('<html lang="de">');
  expect(html).toMatch(/<meta name="parlance-api" content="http[^"]+"/);
  expect(html).not.toContain("somebody");
});

test("redirects a share from a device without the service worker and ignores its body", async () => {
  const server = await startTestServer({ distDir: await builtPage() });
  const body = new FormData();
  body.append("files", new Blob([new Uint8Array(200_000)], { type: "audio/mp4" }), "memo.m4a");
  const answer = await fetch(`${server.pageUrl}/share-target`, { method: "POST", body, redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/file-upload-config?shared=missed"]);
});
