import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { Running } from "#server/start.ts";
import { type Person, signUp, startTestServer } from "#tests/server/harness.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { permissions } from "./permissions.ts";

// Between the network and the routes: framing of requests, other origins, hosts and caches.

/** Sends the bytes unchanged and waits until the server closes the connection or is quiet for a second. */
async function exchange(server: Pick<Running, "apiUrl">, text: string): Promise<string> {
  const socket = connect(Number(new URL(server.apiUrl).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
  });
  const ended = new Promise<void>((resolve) => {
    socket.once("close", resolve);
    socket.on("error", () => resolve());
    socket.setTimeout(1_000, resolve);
  });
  socket.write(text, "latin1");
  await ended;
  socket.destroy();
  return answer;
}

const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const head = "POST /auth/logout HTTP/1.1\r\nHost: localhost\r\n";
/** A second request, hidden where only one of two parsers sees the first request's body. */
const hidden = "GET /languages HTTP/1.1\r\nHost: localhost\r\n\r\n";

describe("ambiguously framed request", () => {
  const requests = [
    ["both lengths", `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ["two lengths", `${head}Content-Length: 0\r\nContent-Length: 44\r\n\r\n${hidden}`],
    ["a list of lengths", `${head}Content-Length: 0, 44\r\n\r\n${hidden}`],
    ["a length with a sign", `${head}Content-Length: +0\r\n\r\n${hidden}`],
    ["a length that is none", `${head}Content-Length: 0x2c\r\n\r\n${hidden}`],
    ["an unknown coding", `${head}Transfer-Encoding: xchunked\r\n\r\n${hidden}`],
    ["chunked, and something after it", `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`],
    ["a space before the colon", `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ["a folded header", `${head}X: a\r\n Transfer-Encoding: chunked\r\n\r\n${hidden}`],
    ["a folded length", `${head}Content-Length:\r\n 44\r\n\r\n${hidden}`],
    ["a bare line feed", `POST /auth/logout HTTP/1.1\nHost: localhost\nContent-Length: 44\n\n${hidden}`],
    ["a bare carriage return", `${head}X: a\rContent-Length: 44\r\n\r\n${hidden}`],
    ["NUL in a header", `${head}X: a\0b\r\n\r\n${hidden}`],
    ["a chunk of a wrong size", `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n${hidden}`],
    ["a chunk that is longer than it says", `${head}Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n${hidden}`],
    ["a space in the target", "GET / x HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["a version that is none", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"],
    ["no host", "GET / HTTP/1.1\r\n\r\n"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"],
  ] as const;

  test("refuses ambiguous requests and never answers the hidden second request", async () => {
    const server = await startTestServer();
    const answered = await Promise.all(
      requests.map(async ([name, text]) => ({ name, answers: statuses(await exchange(server, text)) })),
    );
    const isRefused = (answers: number[]) =>
      // Logging out reads no body, so the invalid body is refused after the answer.
      [400, 204].includes(answers[0] ?? 0) && answers.at(-1) === 400 && !answers.includes(200);
    expect(answered.filter(({ answers }) => !isRefused(answers))).toEqual([]);
    expect(answered).toHaveLength(19);
  });

  test("answers a request with another server's address itself or refuses it", async () => {
    const server = await startTestServer();
    const answer = await exchange(server, "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    expect(answer).not.toMatch(/Location:|access-control-allow-origin/i);
    expect(statuses(await exchange(server, "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n"))).not.toContain(
      200,
    );
    expect(
      statuses(await exchange(server, "TRACE / HTTP/1.1\r\nHost: localhost\r\nX: secret\r\nConnection: close\r\n\r\n")),
    ).not.toContain(200);
  });
});

describe("page of another origin", () => {
  const evil: Record<string, string>[] = [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }];
  const strange = [...evil, { Origin: "null" }, { Origin: "http://localhost.evil.example:5173" }];

  test("refuses changes by a page of another origin on every route, even with cookies and tokens", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    const changing = Object.keys(permissions).filter((call) => !call.startsWith("GET ") && !call.includes("/billing/test/"));
    expect(changing.length).toBeGreaterThan(60);
    for (const [index, call] of changing.entries()) {
      const [method = "", path = ""] = call.split(" ");
      // The set of foreign origins is the same for every route, so one route tests all of them.
      for (const headers of index === 0 ? strange : evil) {
        const sent = { ...headers, Cookie: "parlance_refresh=x", Authorization: `Bearer ${person.token}` };
        const answer = await fetch(`${server.apiUrl}${path}`, { method, headers: sent });
        expect(`${call} ${answer.status}`).toBe(`${call} 403`);
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
        await answer.body?.cancel();
      }
    }
  });

  test("refuses a WebSocket to a page of another origin", async () => {
    const server = await startTestServer();
    const paths = ["/api/v1/audio-transcriptions/live", "/api/v1/audio-transcriptions/try", "/"];
    for (const path of paths) {
      const socket = new WebSocket(`${server.apiUrl.replace("http", "ws")}${path}`, { origin: "https://evil.example" });
      const outcome = await new Promise<string>((resolve) => {
        socket.once("open", () => resolve("open"));
        socket.once("unexpected-response", (_, response) => resolve(String(response.statusCode)));
        socket.once("error", (error) => resolve(error.message));
      });
      socket.terminate();
      expect(outcome).toMatch(/40[34]/);
    }
  });
});

describe("caching by intermediaries", () => {
  const isPrivate = (answer: Response) => /no-store|private|no-cache/.test(answer.headers.get("Cache-Control") ?? "");

  async function withSomething(): Promise<{ server: Running; person: Person; id: string }> {
    const server = await startTestServer();
    const person = await signUp(server);
    return { server, person, id: (await save(person, { text: "secret words" })).id };
  }

  test("forbids caches to store personal data", async () => {
    const { server, person, id } = await withSomething();
    const gets = Object.keys(permissions).filter(
      (call) => call.startsWith("GET ") && permissions[call]?.answers.startsWith("401"),
    );
    expect(gets.length).toBeGreaterThan(25);
    for (const call of gets) {
      const path = call.slice(4).replace(/:\w+(\{.*\})?/g, id);
      const stop = new AbortController();
      const answer = await fetch(`${server.apiUrl}${path}`, {
        headers: { Authorization: `Bearer ${person.token}` },
        signal: stop.signal,
      });
      expect(isPrivate(answer), `${call} ${answer.headers.get("Cache-Control")}`).toBe(true);
      stop.abort();
    }
  });

  test("forbids caches to store refusals or to mix answers for different origins and hosts", async () => {
    const { server } = await withSomething();
    for (const path of ["/", "/users/me", "/nothing", "/blog", "/languages", "/api/v1/engines"]) {
      const own = await fetch(`${server.apiUrl}${path}`, { headers: { Origin: server.pageUrl } });
      const other = await fetch(`${server.apiUrl}${path}`, {
        headers: { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
      });
      expect(own.headers.get("Access-Control-Allow-Origin")).toBe(server.pageUrl);
      expect(other.headers.get("Access-Control-Allow-Origin")).toBeNull();
      // The answer is private, or its Vary header names the origin.
      for (const answer of [own, other]) {
        expect(isPrivate(answer) || /origin/i.test(answer.headers.get("Vary") ?? ""), path).toBe(true);
      }
      expect(await other.text()).not.toContain("evil.example");
    }
  });
});
