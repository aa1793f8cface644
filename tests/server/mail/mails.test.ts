import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { MessageAnswer } from "#contract/index.ts";
import { node26, root } from "#scripts/tools.mjs";
import { childEnv } from "#tests/fixtures/child-env.ts";
import { startMailServer } from "#tests/fixtures/mail-server.ts";
import { databaseEnv, onPostgres } from "#tests/server/database.ts";
import { eventually, post, read, startTestServer, temporaryFolder } from "#tests/server/harness.ts";

const account = { email: "ada@example.org", password: "correct horse", name: "Ada" };

/**
 * Starts a server that has written a mail.
 * @returns the server and the output of `npm run mails`
 */
async function startWithMail(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  await post(server, "/auth/register", account);
  await post(server, "/auth/forgot-password", { email: account.email });
  const listed = await eventually(
    () => mails(server.dataDir),
    ({ out }) => out.includes("Choose a new password"),
  );
  return { server, listed };
}

/** Status of the mails page for a request with these headers. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/mails`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once("error", reject);
    asked.end();
  });
}

/** Runs `npm run mails` as npm does. */
async function mails(dataDir: string, ...ids: string[]): Promise<{ code: unknown; out: string; complaint: string }> {
  const parameters = ["--disable-warning=ExperimentalWarning", "scripts/mails.ts", ...ids];
  const env = { ...childEnv(), PARLANCE_DATA: dataDir, ...databaseEnv(dataDir) };
  const child = spawn(node26, parameters, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, complaint };
}

describe("page of mails", () => {
  test.each([
    ["a public page", { PUBLIC_URL: "https://parlance.example.org" }],
    ["a public API", { API_URL: "https://api.parlance.example.org" }],
    ["a proxy in front", { TRUST_PROXY: "1" }],
    ["access from other machines", { HOST: "0.0.0.0" }],
  ])("hides the page of mails with %s and warns in the log", async (_, env) => {
    const lines: string[] = [];
    const server = await startTestServer({ env: { ...env, LOG_LEVEL: "warn" }, writeLog: (line) => lines.push(line) });
    expect(await statusOf(server.apiUrl, {})).toBe(404);
    expect(lines.join("")).toContain("SMTP_URL is not set, so no e-mail is sent.");
    expect(lines.join("")).toContain("npm run mails");
  });

  test.each([
    ["nothing set", {}],
    ["local addresses", { PUBLIC_URL: "http://localhost:5173", API_URL: "http://127.0.0.1:3000" }],
  ])("shows the page of mails with %s and does not warn", async (_, env: Record<string, string>) => {
    const lines: string[] = [];
    const server = await startTestServer({ env: { ...env, LOG_LEVEL: "warn" }, writeLog: (line) => lines.push(line) });
    expect(await statusOf(server.apiUrl, {})).toBe(200);
    expect(lines.join("")).not.toContain("SMTP_URL");
  });

  test("hides the page of mails from proxied requests and under another host name", async () => {
    const server = await startTestServer();
    const naming =
      "X-Forwarded-For X-Forwarded-Host X-Real-IP Forwarded Via CF-Connecting-IP Fly-Client-IP X-Envoy-External-Address X-Vercel-Forwarded-For True-Client-IP X-Azure-SocketIP X-Appengine-User-IP CloudFront-Viewer-Address Remote-Addr X-Request-Id X-Somebody-New";
    for (const name of naming.split(" ")) {
      expect([name, await statusOf(server.apiUrl, { [name]: "203.0.113.9" })]).toEqual([name, 404]);
    }
    const browsers = {
      "User-Agent": "Mozilla/5.0 Chrome/140.0.0.0",
      Accept: "text/html",
      "Accept-Language": "en",
      "Accept-Encoding": "gzip, br, zstd",
      "Cache-Control": "max-age=0",
      Cookie: "i18next=en",
      Priority: "u=0, i",
      Referer: "http://localhost/",
      "Sec-CH-UA-Platform": "Linux",
      "Sec-Fetch-Site": "none",
      "Upgrade-Insecure-Requests": "1",
    };
    expect(await statusOf(server.apiUrl, browsers)).toBe(200);
    const { port } = new URL(server.apiUrl);
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "192.168.0.9",
      "localhost.evil.example",
    ]) {
      expect([host, await statusOf(server.apiUrl, { Host: host })]).toEqual([host, 404]);
    }
    for (const host of [`localhost:${port}`, "127.0.0.1", "[::1]"]) {
      expect([host, await statusOf(server.apiUrl, { Host: host })]).toEqual([host, 200]);
    }
  });

  test("hides the page of mails behind a proxy that adds no headers, such as nginx by default", async () => {
    const server = await startTestServer();
    const { port } = new URL(server.apiUrl);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(`GET /mails HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.\d 404 /);
  });
});

describe("npm run mails", () => {
  // PROMISE mails: Without a mail server mails wait, and `npm run mails` shows them
  test("npm run mails lists waiting mails and shows one, with the server running or not", async () => {
    const { server, listed } = await startWithMail({ env: { PUBLIC_URL: "https://parlance.example.org" } });
    expect([listed.code, listed.complaint]).toEqual([0, ""]);
    const id = /^(\w{8}) {2}[\d-]{10} [\d:]{5} UTC {2}ada@example\.org {2}Choose a new password/m.exec(listed.out)?.[1] ?? "";
    const shown = await mails(server.dataDir, id);
    expect(shown.out).toContain("To:       ada@example.org");
    const token = /https:\/\/parlance\.example\.org\/auth\/reset-password#token=([\w-]+)/.exec(shown.out)?.[1];
    const reset = { token, password: "battery staple gun" };
    await read(await post(server, "/auth/reset-password", reset), 200, MessageAnswer);
    await server.close();
    const before = await readdir(server.dataDir);
    expect((await mails(server.dataDir, id)).out).toBe(shown.out);
    // The next start finds everything unchanged.
    expect(await readdir(server.dataDir)).toEqual(expect.arrayContaining(before));
    await startTestServer({ dataDir: server.dataDir });
  });

  test("escapes control characters from messages in the terminal", async () => {
    const server = await startTestServer({ env: { OWNER_EMAIL: "owner@example.org" } });
    const words = "two\nlines\u001b]0;title\u0007\u001b[2J\u009b31m\u202etxt.exe\r\u2028";
    const message = { clientId: crypto.randomUUID(), name: "Eve", email: "eve@example.org", text: words, language: "en" };
    await read(await post(server, "/contact", message), 201, MessageAnswer);
    const id = /^(\w{8}) .*Contact/m.exec((await mails(server.dataDir)).out)?.[1] ?? "";
    const { out } = await mails(server.dataDir, id);
    expect(out).toContain("two\nlines\\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{9b}31m\\u{202e}txt.exe");
    expect(out).not.toMatch(/[^\P{C}\n]|\p{Zl}/u);
  });

  // With PostgreSQL the database's own error names the missing database.
  test.skipIf(onPostgres)("npm run mails reports a missing database or mail", async () => {
    const empty = await temporaryFolder();
    const nowhere = await mails(empty);
    expect([nowhere.code, nowhere.out]).toEqual([1, ""]);
    expect(nowhere.complaint).toContain(`No database was found in ${empty}.`);
    expect(await readdir(empty)).toEqual([]);
    const server = await startTestServer();
    expect((await mails(server.dataDir)).out).toBe("No e-mail is waiting.\n");
    const unknown = await mails(server.dataDir, "12345678");
    expect([unknown.code, unknown.complaint]).toEqual([
      1,
      "No e-mail with this id is waiting. npm run mails lists the waiting ones.\n",
    ]);
  });
});

test("a reply to a contact message goes to its sender", async () => {
  const smtp = await startMailServer();
  const server = await startTestServer({ env: { ...smtp.env, OWNER_EMAIL: "owner@example.org" } });
  const message = { clientId: crypto.randomUUID(), name: "Eve", email: "eve@example.org", text: "Hello", language: "en" };
  await post(server, "/contact", message);
  await expect.poll(() => smtp.received.length).toBe(1);
  expect(smtp.received[0]?.raw).toContain("Reply-To: eve@example.org");
});
