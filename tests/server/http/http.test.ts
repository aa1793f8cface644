import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { Environment, variables } from "#server/config/environment.ts";
import { ConfigError } from "#server/config/values.ts";
import { base, post, refusal, signUp, startTestServer, temporaryFolder } from "#tests/server/harness.ts";

/** Sends a request without fetch, which sets Host, Origin and Accept-Encoding itself. */
function raw(
  url: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }));
    });
    sending.on("error", reject);
    sending.end();
  });
}

const portOf = (url: string) => new URL(url).port;

describe("API", () => {
  test("GET / reports the API as healthy without caching", async () => {
    const server = await startTestServer();
    const answer = await fetch(server.apiUrl);
    expect(await answer.json()).toEqual({ name: "Parlance", status: "ok" });
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(await refusal(await fetch(`${server.apiUrl}/nothing`))).toBe("404 notFound");
  });

  test("lets only the page's origin read answers, with cookies", async () => {
    const server = await startTestServer();
    const [api, web] = [portOf(server.apiUrl), portOf(server.pageUrl)];
    const allowed = async (origin: string, host: string) =>
      (await raw(`http://127.0.0.1:${api}/`, { Origin: origin, Host: `${host}:${api}` })).headers["access-control-allow-origin"];
    expect(await allowed(`http://localhost:${web}`, "localhost")).toBe(`http://localhost:${web}`);
    expect(await allowed(`http://127.0.0.1:${web}`, "127.0.0.1")).toBe(`http://127.0.0.1:${web}`);
    expect(await allowed(`http://192.168.1.7:${web}`, "192.168.1.7")).toBe(`http://192.168.1.7:${web}`);
    expect(await allowed(`http://[::1]:${web}`, "[::1]")).toBe(`http://[::1]:${web}`);
    expect(await allowed("http://evil.example", "localhost")).toBeUndefined();
    expect(await allowed(`http://evil.example:${web}`, "evil.example")).toBeUndefined();
    expect(await allowed(`http://192.168.1.8:${web}`, "192.168.1.7")).toBeUndefined();
    expect(await allowed(`https://localhost:${web}`, "localhost")).toBeUndefined();
    expect(await allowed("null", "localhost")).toBeUndefined();
  });

  test("answers a preflight request", async () => {
    const server = await startTestServer();
    const headers = {
      Origin: server.pageUrl,
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "authorization,content-type",
    };
    const answer = await raw(`${server.apiUrl}/audio/remove-transcription/x`, headers, "OPTIONS");
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-credentials"]).toBe("true");
    expect(answer.headers["access-control-allow-methods"]).toContain("PUT");
    expect(answer.headers["access-control-allow-headers"]).toContain("Authorization");
  });

  test("refuses POST requests from pages of other origins", async () => {
    const server = await startTestServer();
    const logout = (headers: Record<string, string>) => raw(`${server.apiUrl}/auth/logout`, headers, "POST");
    expect((await logout({ Origin: "http://evil.example", Cookie: "parlance_refresh=x" })).status).toBe(403);
    expect((await logout({ Origin: "null" })).status).toBe(403);
    expect((await logout({ "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await logout({ Origin: server.pageUrl })).status).toBe(204);
    expect((await logout({})).status).toBe(204);
  });

  test("refuses bodies that are too large, no JSON, or broken", async () => {
    const server = await startTestServer();
    expect(await refusal(await post(server, "/auth/login", "x".repeat(70_000)))).toBe("413 tooLarge");
    const form = await fetch(`${server.apiUrl}/auth/login`, { method: "POST", body: new URLSearchParams({ email: "a@b.de" }) });
    expect(await refusal(form)).toBe("415 badRequest");
    const broken = await fetch(`${server.apiUrl}/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{",
    });
    expect(await refusal(broken)).toBe("400 badRequest");
  });
});

test("logs each request without private data", async () => {
  const lines: string[] = [];
  const server = await startTestServer({ env: { LOG_LEVEL: "info" }, writeLog: (line) => lines.push(line) });
  const person = await signUp(server);
  await person.call("GET", `${base}/transcription-history?search=my%20secret`);
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries.at(-1)).toMatchObject({ level: "info", method: "GET", route: `${base}/transcription-history`, status: 200 });
  expect(lines.join("")).not.toMatch(new RegExp(`secret|password|${person.email}|${person.token}`));
});

test("closing the server ends open event streams instead of waiting for them", async () => {
  const server = await startTestServer();
  const person = await signUp(server);
  const stream = await person.call("GET", `${base}/events`);
  const from = performance.now();
  await server.close();
  expect(performance.now() - from).toBeLessThan(5_000);
  // The stream ends after a whole event.
  expect(await stream.text()).toMatch(/\n\n$/);
});

describe("static files of the page", () => {
  async function withPage() {
    const distDir = await temporaryFolder();
    await mkdir(join(distDir, "assets"));
    await mkdir(join(distDir, "locales/en"), { recursive: true });
    await writeFile(join(distDir, "index.html"), '<!doctype html><meta name="parlance-api" content="" /><p>Parlance</p>');
    await writeFile(join(distDir, "assets/index-abc123.js"), `export const text = "${"speech ".repeat(500)}";`);
    await writeFile(join(distDir, "locales/en/translation.json"), "{}");
    return startTestServer({ distDir });
  }

  test("serves index.html with the API's address for every path of the page", async () => {
    const server = await withPage();
    for (const path of ["/", "/dashboard", "/transcription/123", "/index.html"]) {
      const answer = await raw(`${server.pageUrl}${path}`, { Accept: "text/html" });
      expect(answer.status).toBe(200);
      expect(answer.body.toString()).toContain(`content="${server.apiUrl}"`);
      expect(answer.headers["cache-control"]).toBe("no-cache");
    }
  });

  test("answers 404 for a missing file instead of the page", async () => {
    const server = await withPage();
    const status = async (path: string, headers: Record<string, string>) =>
      (await raw(`${server.pageUrl}${path}`, headers)).status;
    expect(await status("/assets/gone.js", { Accept: "text/html" })).toBe(404);
    expect(await status("/locales/xx/translation.json", { Accept: "*/*" })).toBe(404);
    expect(await status("/gone.png", { Accept: "image/png", "Sec-Fetch-Mode": "no-cors" })).toBe(404);
    expect(await status("/..%2foutside.txt", { Accept: "*/*" })).toBe(404);
    expect(await status("/%2e%2e/%2e%2e/etc/passwd", { Accept: "*/*" })).toBe(404);
    expect(await status("/%00", { Accept: "*/*" })).toBe(404);
    expect(await status("/%zz", { Accept: "*/*" })).toBe(404);
    expect(await status("/assets/index-abc123.js", {})).toBe(200);
    expect((await raw(`${server.pageUrl}/`, {}, "POST")).status).toBe(405);
  });

  test("compresses the page's files and caches the hashed ones for ever", async () => {
    const server = await withPage();
    const get = (encoding: string) => raw(`${server.pageUrl}/assets/index-abc123.js`, { "Accept-Encoding": encoding });
    const plain = await get("identity");
    const [br, gz] = [await get("gzip, deflate, br"), await get("gzip;q=1, br;q=0")];
    expect([br.headers["content-encoding"], gz.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gz.body)).toEqual(plain.body);
    expect(br.body.length).toBeLessThan(plain.body.length / 5);
    expect(plain.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
    });
    const again = await raw(`${server.pageUrl}/locales/en/translation.json`, {});
    expect(again.headers["cache-control"]).toBe("no-cache");
    const fresh = await raw(`${server.pageUrl}/locales/en/translation.json`, { "If-None-Match": String(again.headers.etag) });
    expect([fresh.status, fresh.body.length]).toEqual([304, 0]);
  });

  test("sends the build's compressed file when the file's name has a hash", async () => {
    const distDir = await temporaryFolder();
    await mkdir(join(distDir, "assets"));
    const text = `export const text = "${"speech ".repeat(500)}";`;
    for (const path of ["assets/index-abc123.js", "elsewhere.js"]) {
      await writeFile(join(distDir, path), text);
      await writeFile(join(distDir, `${path}.br`), brotliCompressSync("compressed before"));
    }
    const server = await startTestServer({ distDir });
    const get = async (path: string) =>
      brotliDecompressSync((await raw(`${server.pageUrl}${path}`, { "Accept-Encoding": "br" })).body).toString();
    expect(await get("/assets/index-abc123.js")).toBe("compressed before");
    expect(await get("/elsewhere.js")).toBe(text);
  });

  test("sends ranges of a large file and lets it be cached for ever", async () => {
    const distDir = await temporaryFolder();
    await mkdir(join(distDir, "assets"));
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
    await writeFile(join(distDir, "assets/model-abc123.bin"), content);
    const server = await startTestServer({ distDir });
    const get = (headers: Record<string, string>, method = "GET") =>
      raw(`${server.pageUrl}/assets/model-abc123.bin`, { "Accept-Encoding": "gzip, br", ...headers }, method);
    const whole = await get({});
    expect([whole.status, whole.body.equals(content), whole.headers["content-encoding"]]).toEqual([200, true, undefined]);
    expect(whole.headers).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=31536000, immutable",
      "content-length": "3000000",
      "content-type": "application/octet-stream",
    });
    const part = await get({ Range: "bytes=2000000-2000009" });
    expect([part.status, part.headers["content-range"]]).toEqual([206, "bytes 2000000-2000009/3000000"]);
    expect(part.body).toEqual(content.subarray(2_000_000, 2_000_010));
    const rest = await get({ Range: "bytes=2000000-" });
    expect([rest.status, rest.body.equals(content.subarray(2_000_000))]).toEqual([206, true]);
    expect((await get({ Range: "bytes=3000000-" })).status).toBe(416);
    const known = await get({ "If-None-Match": String(whole.headers.etag) });
    expect([known.status, known.body.length]).toEqual([304, 0]);
    const head = await get({}, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, "3000000", 0]);
  });

  test("the page's policy allows only its own scripts and the API of its host", async () => {
    const server = await withPage();
    const [api, web] = [portOf(server.apiUrl), portOf(server.pageUrl)];
    const policy = async (host: string) =>
      String((await raw(`http://127.0.0.1:${web}/`, { Host: host })).headers["content-security-policy"]).split("; ");
    expect(await policy(`localhost:${web}`)).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "font-src 'self'",
      `img-src 'self' data: blob: http://localhost:${api}`,
      `media-src 'self' blob: http://localhost:${api}`,
      `connect-src 'self' http://localhost:${api} ws://localhost:${api}`,
      "worker-src 'self' blob:",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types vault inspection recogniser translator offline",
    ]);
    expect(await policy(`192.168.1.7:${web}`)).toContain(`connect-src 'self' http://192.168.1.7:${api} ws://192.168.1.7:${api}`);
    expect(await policy(`evil.example:${web}`)).toContain("connect-src 'self'");
    const { headers } = await raw(server.pageUrl, {});
    expect(headers["permissions-policy"]).toContain("microphone=(self)");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
  });

  test("explains how to build the page when it is not built", async () => {
    const server = await startTestServer({ distDir: join(await temporaryFolder(), "none") });
    const answer = await fetch(server.pageUrl);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("npm run build");
  });
});

describe("configuration", () => {
  test("has a default for every setting", () => {
    expect(readConfig({ PORT: "" })).toMatchObject({
      port: 3000,
      webPort: 5173,
      host: "127.0.0.1",
      maxUploadBytes: 2 ** 31,
      refreshDays: 30,
    });
  });

  // PROMISE start: A wrong setting stops the start; the message names the setting and the reason
  test("names each wrong setting and the reason without showing secrets", () => {
    const wrong = {
      PORT: "70000",
      PUBLIC_URL: "example.org",
      JWT_SECRET: "too-short",
      LOG_LEVEL: "loud",
      SPEECH_API_URL: "ftp://x",
    };
    const complaint = () => readConfig(wrong);
    expect(complaint).toThrow(ConfigError);
    expect(complaint).toThrow(/^PORT: 70000 must be a port/m);
    expect(complaint).toThrow(/^PUBLIC_URL: "example.org" must be an http\(s\) address/m);
    expect(complaint).toThrow(/^JWT_SECRET: the value given must have at least 32 characters/m);
    expect(complaint).toThrow(/^LOG_LEVEL: "loud" must be one of/m);
    expect(complaint).not.toThrow(/too-short/);
  });

  // PROMISE start: A page describes every environment variable
  test("describes every environment variable", () => {
    expect(variables.find(({ name }) => name === "PORT")).toEqual({
      name: "PORT",
      fallback: "3000",
      meaning: "The port of the API.",
    });
    expect(variables.map(({ name }) => name).sort()).toEqual(Object.keys(Environment.entries).sort());
    expect(variables.every(({ meaning }) => meaning.endsWith("."))).toBe(true);
  });
});
