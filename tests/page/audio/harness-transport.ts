import { onTestFinished } from "vitest";
import { type WebSocket as ServerSocket, WebSocketServer } from "ws";
import type { HeardBy, ServerMessage } from "#contract/index.ts";
import { createRecordings } from "#src/audio/recordings.ts";
import { Connection, type ConnectionEvent, type ConnectionParts } from "#src/audio/transport.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";
import { createTabs, frame, freshDb, segment, until } from "#tests/page/dictation/harness.ts";

/** The server's side of one connection. */
interface Line {
  /** Text messages from the page, parsed. */
  said: Record<string, unknown>[];
  /** The numbers of the received frames. */
  numbers: number[];
  bytes: number[];
  answer(message: ServerMessage): void;
  close(code: number): void;
  closed: boolean;
}

async function startServer() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const lines: Line[] = [];
  server.on("connection", (socket) => lines.push(lineOf(socket)));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const line = async (index = 0) => {
    await until(() => (lines[index]?.said.length ?? 0) > 0);
    const found = lines[index];
    if (found === undefined) throw new Error("no connection");
    return found;
  };
  return { url: `ws://127.0.0.1:${port}`, line, lines };
}

function lineOf(socket: ServerSocket): Line {
  const line: Line = {
    said: [],
    numbers: [],
    bytes: [],
    answer: (message) => socket.send(JSON.stringify(message)),
    close: (code) => socket.close(code),
    closed: false,
  };
  socket.on("message", (data, isBinary) => {
    if (!Buffer.isBuffer(data)) throw new Error("in pieces");
    if (isBinary) {
      line.numbers.push(data.readUInt32LE(0));
      line.bytes.push(data[4] ?? -1);
    } else line.said.push(JSON.parse(data.toString()));
  });
  socket.on("close", () => {
    line.closed = true;
  });
  return line;
}

export async function setUp(options: { token?: () => Promise<string>; targetLanguage?: string; heardBy?: HeardBy } = {}) {
  const server = await startServer();
  const db = freshDb();
  const recordings = createRecordings({ db, locks: createTabs().open(), onTrouble: () => {} });
  const targetLanguage = options.targetLanguage ?? null;
  const languages = { sourceLanguage: "en", targetLanguage, heardBy: options.heardBy } as const;
  const { frames } = await recordings.begin({ ownerId: "ann", ...languages, startedAt: 0 });
  const captions = createCaptions();
  captions.begin(undefined);
  const emitted: ConnectionEvent[] = [];
  const time = { now: 0 };
  /** @param shown receives the recognized words; the captions by default */
  const connect = (shown: ConnectionParts["captions"] = captions) => {
    const connection = new Connection({
      url: server.url,
      frames,
      captions: shown,
      token: options.token ?? (async () => "token"),
      emit: (event) => emitted.push(event),
      now: () => time.now,
    });
    onTestFinished(() => connection.close());
    return connection;
  };
  const speak = async (count: number) => {
    for (let i = 0; i < count; i++) frames.append(frame(frames.written + i));
    await frames.settled();
  };
  return { ...server, db, recordings, frames, captions, emitted, connect, speak, time };
}

export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
export const ready = (ack: number, texts: string[] = []): ServerMessage => ({
  type: "ready",
  ack,
  segments: texts.map((text, i) => segment(i, text)),
});
