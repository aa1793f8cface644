import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { callRemote } from "#server/http/remote.ts";
import { openOpenAi } from "#server/speech/openai.ts";
import { openChat } from "#server/translation/chat.ts";
import { openLibreTranslate } from "#server/translation/libretranslate.ts";
import { voice } from "#tests/server/speech/sound.ts";

const head = (status: string, ...more: string[]) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${more.join("")}\r\n`;

/** Writes the text again and again, as fast as it is read. */
function flood(socket: Socket, text: string): void {
  if (socket.destroyed) return;
  while (socket.write(text));
  socket.once("drain", () => flood(socket, text));
}

/**
 * Starts a TCP server.
 * @param answer gets each connection after its first bytes
 */
async function badServer(answer: (socket: Socket, url: string) => void): Promise<{ url: string; sent(): number }> {
  const sockets = new Set<Socket>();
  let url = "";
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.resume().once("data", () => answer(socket, url));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return { url, sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) };
}

const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));

const behaviours: Record<string, (socket: Socket, url: string) => void> = {
  "says nothing": () => undefined,
  "drips for ever": (socket) => {
    socket.write(`${head("200 OK")}{"text":"`);
    const timer = setInterval(() => socket.write("."), 10);
    socket.once("close", () => clearInterval(timer));
  },
  "answers without end": (socket) => {
    socket.write(`${head("200 OK")}{"text":"`);
    flood(socket, "and so on ".repeat(10_000));
  },
  "sends little that is large when it is unpacked": (socket) => {
    socket.write(head("200 OK", "Content-Encoding: gzip\r\n", `Content-Length: ${zeros.length}\r\n`));
    socket.write(zeros);
  },
  "refuses without end": (socket) => {
    socket.write(`${head("500 Internal Server Error")}{"error":"`);
    flood(socket, "and so on ".repeat(10_000));
  },
  "has headers without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    flood(socket, `X-More: ${"and so on ".repeat(100)}\r\n`);
  },
  "breaks off": (socket) => void socket.end(`${head("200 OK", "Content-Length: 1000\r\n")}{"text":`),
  "is no HTTP server": (socket) => void socket.end("220 mail.example.org ESMTP\r\n"),
  "sends on in circles": (socket, url) =>
    void socket.end(head("302 Found", `Location: ${url}/again\r\n`, "Content-Length: 0\r\n")),
};

const inTime = {
  kind: "timeout",
  message: expect.stringMatching(/^The server at 127\.0\.0\.1:\d+ did not answer within 1 s\.$/),
};
const endless = {
  kind: "garbage",
  message: expect.stringMatching(/^The server at 127\.0\.0\.1:\d+ sends an endless answer\.$/),
};
const unreachable = {
  kind: "unreachable",
  message: expect.stringMatching(/^The server at 127\.0\.0\.1:\d+ can't be reached\.$/),
};

test.each([
  ["says nothing", inTime],
  ["drips for ever", inTime],
  ["answers without end", endless],
  ["sends little that is large when it is unpacked", endless],
  [
    "refuses without end",
    { kind: "status", status: 500, message: expect.stringMatching(/^The server at 127\.0\.0\.1:\d+ answered 500$/) },
  ],
  ["has headers without end", unreachable],
  ["breaks off", unreachable],
  ["is no HTTP server", unreachable],
  ["sends on in circles", unreachable],
])("a remote server that %s fails with a reason and within limits of time and memory", async (behaviour, failure) => {
  const server = await badServer((socket, url) => behaviours[behaviour]?.(socket, url));
  const isLate = failure === inTime;
  const asked = callRemote({
    url: server.url,
    body: {},
    schema: v.object({ text: v.string() }),
    wanted: "a text",
    // A busy machine must not time out on servers that fail by themselves.
    timeoutMs: isLate ? 1_000 : 60_000,
  });
  await expect(asked).rejects.toMatchObject({ name: "RemoteError", ...failure });
  // Includes the bytes in the buffers of both sides.
  expect(server.sent()).toBeLessThan(64 * 1024 * 1024);
});

test.each(["answers without end", "breaks off", "is no HTTP server"])(
  "an engine whose server %s fails with its own error",
  async (behaviour) => {
    const { url } = await badServer((socket, own) => behaviours[behaviour]?.(socket, own));
    const speech = openOpenAi({ apiUrl: url });
    await expect(speech.transcribe(voice(2, -20), { language: "en" })).rejects.toMatchObject({
      name: "SpeechError",
      code: behaviour === "answers without end" ? "engineFailed" : "engineUnavailable",
    });
    const chat = openChat({ url });
    await expect(chat.translate(["Hello"], { source: "en", target: "de", person: "ann" })).rejects.toMatchObject({
      code: "translationFailed",
    });
    const libre = await openLibreTranslate({ url });
    expect(libre.unavailable).toMatch(/^LibreTranslate at 127\.0\.0\.1:\d+ does not work\./);
  },
);

test("refuses a LibreTranslate server that lists thousands of languages", async () => {
  const languages = Array.from({ length: 5_000 }, (_, at) => ({ code: `x${at}` }));
  const { url } = await badServer((socket) => void socket.end(`${head("200 OK")}${JSON.stringify(languages)}`));
  const libre = await openLibreTranslate({ url });
  expect(libre.unavailable).toContain("which is not a list of languages");
  expect(libre.pairs).toEqual([]);
});
