import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import type { Running } from "#server/start.ts";
import { type Person, read, signUp, startTestServer } from "#tests/server/harness.ts";
import { silentWav } from "#tests/server/jobs/scripted.ts";
import { append, begin, offsetOf } from "#tests/server/uploads/tus.ts";

// Half-sent requests end; slow uploads don't (server/http/connections.ts).

interface Talk {
  socket: Socket;
  /** The answer until the connection ended. */
  ended: Promise<string>;
}

async function talk(server: Pick<Running, "apiUrl">): Promise<Talk> {
  const socket = connect(Number(new URL(server.apiUrl).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
  });
  socket.on("error", () => {});
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(answer)));
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  return { socket, ended };
}

/** Writes a byte again and again until the connection ends. */
function drip({ socket }: Talk, everyMs: number, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  socket.once("close", () => clearInterval(timer));
}

const quick = { headersMs: 300, bodyMs: 400, pollMs: 50, bytesPerSecond: 2_000 };
const login = (length: number) =>
  `POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe("request that does not end", () => {
  test("answers 408 to incomplete headers, even byte by byte", async () => {
    const server = await startTestServer({ connectionTimes: quick });
    const one = await talk(server);
    one.socket.write("POST /auth/login HTTP/1.1\r\nHost: localhost\r\n");
    drip(one, 20, "X");
    const silent = await talk(server);
    expect(await one.ended).toContain("408 Request Timeout");
    expect(await silent.ended).toMatch(/^$|^HTTP\/1\.1 408 /);
  });

  test("answers 408 to an incomplete small body, even byte by byte", async () => {
    const server = await startTestServer({ connectionTimes: quick });
    const one = await talk(server);
    one.socket.write(login(5_000));
    drip(one, 20, " ");
    const none = await talk(server);
    none.socket.write(login(50));
    expect(await one.ended).toContain("408 Request Timeout");
    expect(await none.ended).toContain("408 Request Timeout");
    expect((await fetch(server.apiUrl)).status).toBe(200);
  });

  test("keeps the received part of an upload", async () => {
    const server = await startTestServer({ connectionTimes: quick });
    const person = await signUp(server);
    const path = await begin(person, { size: 100_000 });
    const one = await talk(server);
    one.socket.write(patch(path, person, 0, 100_000));
    one.socket.write("x".repeat(2_000));
    await one.ended;
    await expect.poll(() => offsetOf(person, path)).toBe(2_000);
  });
});

function patch(path: string, person: Person, offset: number, length: number): string {
  const headers = {
    Host: "localhost",
    Authorization: `Bearer ${person.token}`,
    "Tus-Resumable": "1.0.0",
    "Upload-Offset": String(offset),
    "Content-Type": "application/offset+octet-stream",
    "Content-Length": String(length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `PATCH ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

test("lets an upload over a slow line take as long as it needs", async () => {
  const server = await startTestServer({ connectionTimes: quick });
  const person = await signUp(server);
  const wav = silentWav(0.3);
  const path = await begin(person, { size: wav.length });
  const one = await talk(server);
  one.socket.write(patch(path, person, 0, wav.length));
  const begun = performance.now();
  // Four times as fast as it must be, and four times as long as a small body may take.
  for (let from = 0; from < wav.length; from += 400) {
    one.socket.write(wav.subarray(from, from + 400));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(performance.now() - begun).toBeGreaterThan(3 * quick.bodyMs);
  await expect
    .poll(async () => (await person.call("GET", `/api/v1/audio-transcriptions/transcription/${path.split("/").at(-1)}`)).status)
    .toBe(200);
  const answer = await person.call("GET", `/api/v1/audio-transcriptions/transcription/${path.split("/").at(-1)}`);
  expect(await read(answer, 200, Transcription)).toMatchObject({ origin: "upload" });
});

test("keeps an event stream without events open", async () => {
  const server = await startTestServer({ connectionTimes: quick });
  const person = await signUp(server);
  const answer = await person.call("GET", "/api/v1/audio-transcriptions/events");
  const reader = answer.body?.getReader();
  await reader?.read();
  const path = await begin(person, { size: 44 + 3_200 });
  await new Promise((resolve) => setTimeout(resolve, 3 * quick.bodyMs));
  await append(server, person, path, { offset: 0, body: silentWav(0.1) });
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain("event: transcription");
  await reader?.cancel();
});

describe("connections from one network", () => {
  test("connections from one network are limited, with a place freed by each that ends", async () => {
    const server = await startTestServer({ connectionTimes: { perNetwork: 5 } });
    const open = await Promise.all(Array.from({ length: 5 }, () => talk(server)));
    const sixth = await talk(server);
    expect(await sixth.ended).toBe("");
    open[0]?.socket.destroy();
    await open[0]?.ended;
    await expect
      .poll(async () => {
        const next = await talk(server);
        next.socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        return next.ended;
      })
      .toContain("200 OK");
  });

  test("connections from one network are not counted behind a proxy", async () => {
    const server = await startTestServer({ connectionTimes: { perNetwork: 2 }, env: { TRUST_PROXY: "1" } });
    const open = await Promise.all(Array.from({ length: 6 }, () => talk(server)));
    for (const { socket, ended } of open) {
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      expect(await ended).toContain("200 OK");
    }
  });
});
