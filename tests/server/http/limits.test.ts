import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { bodyConcurrency } from "#server/http/concurrency.ts";
import { base, signUp, startTestServer } from "#tests/server/harness.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";

interface Answer {
  status: number;
  body: string;
}

const mebibyte = 1024 * 1024;
const stripe = { STRIPE_SECRET_KEY: "sk_test", STRIPE_WEBHOOK_SECRET: "whsec", STRIPE_PRICE_MONTH: "m", STRIPE_PRICE_YEAR: "y" };

/** Sends headers, then `bytes` bytes of a chunked body that does not end, and waits for the answer. */
function unending(url: string, method: string, headers: Record<string, string>, bytes: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sending = request(url, { method, headers }, (answer) => {
    let body = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => {
      body += part;
    });
    answer.once("end", () => {
      resolve({ status: answer.statusCode ?? 0, body });
      sending.destroy();
    });
  });
  sending.once("error", reject);
  if (bytes > 0) sending.write(Buffer.alloc(bytes, " "));
  sending.flushHeaders();
  return promise;
}

/**
 * Sends a raw request, with headers that fetch and request would refuse.
 * @returns the status of the answer
 */
function statusOf(url: string, text: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
  socket.once("error", reject);
  socket.once("data", (bytes) => {
    resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString("latin1"))?.[1]));
    socket.destroy();
  });
  return promise;
}

const json = { "Content-Type": "application/json" };

describe("request body", () => {
  // PROMISE limits: Limits of bodies, files and pictures apply before anything is read
  test("every route refuses a body at once when its length is too large", async () => {
    const server = await startTestServer({ env: stripe });
    const calls = server.routes.filter(({ method }) => method !== "GET");
    expect(calls.length).toBeGreaterThan(40);
    for (const { method, path } of calls) {
      const answer = await unending(`${server.apiUrl}${path}`, method, { ...json, "Content-Length": "99000000000" }, 0);
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 413`);
      expect(answer.body).toContain('"code":"tooLarge"');
    }
  });

  test("cuts off a body of unknown length at the limit, before any check", async () => {
    const server = await startTestServer({ env: stripe });
    const chunked = { ...json, "Transfer-Encoding": "chunked" };
    const sent = (path: string, method: string, bytes: number) => unending(`${server.apiUrl}${path}`, method, chunked, bytes);
    expect((await sent("/webhooks/stripe", "POST", mebibyte)).status).toBe(413);
    expect((await sent("/auth/login", "POST", 70_000)).status).toBe(413);
    expect((await sent("/contact", "POST", 70_000)).status).toBe(413);
  });

  test("accepts a chunked body below the limit", async () => {
    const server = await startTestServer();
    const body = new Blob([JSON.stringify({ email: "nobody@example.org", password: "correct horse" })]).stream();
    const options = { method: "POST", headers: json, body, duplex: "half" };
    expect((await fetch(`${server.apiUrl}/auth/login`, options)).status).toBe(401);
  });

  test("refuses a body that is nested too deeply before parsing it", async () => {
    const server = await startTestServer();
    const post = (body: string) => fetch(`${server.apiUrl}/auth/login`, { method: "POST", headers: json, body });
    expect(await (await post("[".repeat(60_000))).text()).toContain("nested too deep");
    expect(await (await post(`{"a":${"[".repeat(17)}${"]".repeat(17)}}`)).text()).toContain("nested too deep");
    // Brackets in strings don't nest.
    const text = `${"[{".repeat(1000)}\\"[[[[[[[[[[[[[[[[[[[[`;
    expect(await (await post(`{"email":"${text}","password":"x"}`)).text()).toContain("email");
  });

  test("makes large bodies of one person wait unread for each other in every route", async () => {
    const server = await startTestServer({ env: stripe });
    const [person, other] = [await signUpSuperuser(server), await signUp(server)];
    await subscribe(server.dataDir, person);
    const headers = { ...json, Authorization: `Bearer ${person.token}` };
    const half = () => unending(`${server.apiUrl}/users/me/vocabulary`, "PUT", { ...headers, "Content-Length": "70000" }, 10);
    const all = Array.from({ length: bodyConcurrency.atOnce + bodyConcurrency.waiting + 1 }, half);
    for (const one of all) one.catch(() => undefined);
    expect((await Promise.race(all)).status).toBe(429);

    const read = new Set<string>();
    for (const { method, path } of server.routes.filter(({ method }) => method !== "GET" && method !== "ALL")) {
      const url = `${server.apiUrl}${path.replace(/\{.*?\}/g, "").replace(/:\w+/g, crypto.randomUUID())}`;
      const { status } = await fetch(url, { method, headers, body: " ".repeat(65_537) });
      if (status !== 413 && status !== 429) read.add(`${method} ${path}`);
    }
    expect([...read].toSorted()).toEqual([
      // Routes that write the body to a file as it arrives.
      "DELETE /api/v1/uploads/:id",
      "PATCH /api/v1/uploads/:id",
      "POST /admin/blog/upload-image",
      "POST /admin/models/import",
      "POST /api/v1/audio-transcriptions/upload-and-transcribe",
      // Routes with their own queue.
      "POST /api/v1/translations",
      "POST /api/v1/uploads",
      // Routes without a known person.
      "POST /webhooks/stripe",
      "PUT /api/v1/encrypted-audio/:id/content",
      "PUT /api/v1/encrypted-audio/:id/text",
    ]);
    expect((await other.call("PUT", "/users/me/vocabulary", "x".repeat(70_000))).status).toBe(400);
  });

  test("refuses a body with more values than any dictation has before parsing it", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const headers = { ...json, Authorization: `Bearer ${person.token}` };
    const path = `${server.apiUrl}${base}/save-final-transcription`;
    for (const value of ["{}", "[]", "0", '""', "[[]]", '{"":{}}']) {
      const body = `{"segments":[${value}${`,${value}`.repeat(200_000)}]}`;
      expect(await (await fetch(path, { method: "POST", headers, body })).text()).toContain("too many values");
    }
  });

  test("does not log an error when the sender gives up", async () => {
    const lines: string[] = [];
    const server = await startTestServer({ env: { LOG_LEVEL: "info" }, writeLog: (line) => lines.push(line) });
    const headers = { ...json, "Content-Length": "1000", Expect: "100-continue" };
    const sending = request(`${server.apiUrl}/auth/login`, { method: "POST", headers });
    sending.on("error", () => {});
    const begun = new Promise((resolve) => sending.once("continue", resolve));
    sending.flushHeaders();
    await begun;
    await new Promise((resolve) => sending.write('{"email":', resolve));
    sending.destroy();
    await expect.poll(() => lines.some((line) => line.includes('"/auth/login"'))).toBe(true);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(lines.join("")).toContain('"status":422');
  });
});

describe("request line and headers", () => {
  test("refuses a request with a huge address or huge headers", async () => {
    const server = await startTestServer();
    for (const url of [server.apiUrl, server.pageUrl]) {
      expect((await fetch(`${url}/?q=${"x".repeat(9_000)}`)).status).toBe(414);
      const many = Array.from({ length: 150 }, (_, i) => `X-${i}: 1`).join("\r\n");
      expect(await statusOf(url, `GET / HTTP/1.1\r\nHost: localhost\r\n${many}\r\n\r\n`)).toBe(431);
      expect(await statusOf(url, `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`)).toBe(431);
    }
  });
});
