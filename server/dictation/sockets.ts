import type { IncomingMessage, Server } from "node:http";
import * as v from "valibot";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { ClientMessage, closeCodes, type ErrorCode, maxFrameBytes, type ServerMessage } from "#contract/index.ts";
import { describeError, type Log } from "#server/common/log.ts";
import { Problem, sentenceOf } from "#server/common/problem.ts";
import type { Storage } from "#server/common/storage.ts";
import type { Db } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import { dictationShare, type Places } from "#server/http/places.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { findSignedIn } from "#server/session/queries.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import { recordingSource, type UsageMeter } from "#server/subscription/usage.ts";
import { type DictationConnection, LiveSession } from "./live-session.ts";
import { findRecording, openRecording, type RecordingRow } from "./queries.ts";

const path = "/api/v1/audio-transcriptions/realtime";
/** What has arrived and is not on disk yet: above the first the connection is not read, below the second it is again (bytes). */
const [fullBytes, emptyBytes] = [1024 * 1024, 256 * 1024];
/** What a message costs beside its bytes, while it waits. */
const messageBytes = 256;
/** Unsent bytes above which interim text is left out, and those above which nobody is reading at all. */
const [congestedBytes, maxBufferedBytes] = [256 * 1024, 16 * 1024 * 1024];

export interface LiveTimes {
  /** Until the first message must have come. Default 10,000 ms. */
  firstMessageMs?: number;
  /** Without a frame after the start, or after the last one. Default 300,000 ms. */
  idleMs?: number;
  /** Between two pings; who has not answered by the next one is gone. Default 15,000 ms. */
  pingMs?: number;
  /** Frames are made safe at most this often. Default 1,000 ms. */
  syncMs?: number;
  /** For the page to end a recording that has gone over the limit. Default 30,000 ms. */
  limitMs?: number;
}

/** Live dictation: WS /api/v1/audio-transcriptions/realtime (contract/realtime.ts). */
export interface Live {
  /** Ends the connection that feeds this recording, if there is one; its audio is complete on disk afterwards. */
  release(recording: string): Promise<void>;
  close(): Promise<void>;
}

interface LiveParts {
  config: { maxUploadBytes: number };
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  origins: Origins;
  tokens: AccessTokens;
  connections: OpenConnections;
  storage: Storage;
  engines: SpeechEngines;
  usage: UsageMeter;
  places: Places;
  quota: StorageQuota;
}

/** Takes the upgrade requests of the API's port. */
export function serveLive(server: Server, parts: LiveParts, times: LiveTimes = {}): Live {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes + 4096, perMessageDeflate: false });
  const connections = new Set<Connection>();
  const byRecording = new Map<string, Connection>();
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const refusal = refusalOf(request, parts);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new Connection(webSocket, parts, { all: connections, byRecording }, times);
      connections.add(connection);
      webSocket.once("close", () => {
        connections.delete(connection);
      });
    });
  });
  const ping = setInterval(() => {
    for (const connection of connections) connection.ping();
  }, times.pingMs ?? 15_000);
  return {
    release: async (recording) => byRecording.get(recording)?.end(closeCodes.elsewhere),
    close: async () => {
      clearInterval(ping);
      await Promise.all([...connections].map((connection) => connection.end(1001)));
      sockets.close();
    },
  };
}

/** The page alone may open sockets: browsers don't keep other sites from trying. Programs send no Origin; they need a token anyway. */
function refusalOf(request: IncomingMessage, { origins }: LiveParts): string | undefined {
  if (request.url?.split("?", 1)[0] !== path) return "404 Not Found";
  const { origin, host } = request.headers;
  return origin !== undefined && !origins.allows(origin, host) ? "403 Forbidden" : undefined;
}

interface LiveConnections {
  all: ReadonlySet<Connection>;
  byRecording: Map<string, Connection>;
}

/** One socket. Its messages are handled one after the other. */
class Connection {
  readonly #socket: WebSocket;
  readonly #parts: LiveParts;
  readonly #byRecording: Map<string, Connection>;
  readonly #times: LiveTimes;
  readonly #connection: DictationConnection;
  #handling: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #alive = true;
  #heardAt = performance.now();
  #ended = false;
  #signedIn: { userId: string; sessionId: string } | undefined;
  #session: LiveSession | undefined;

  constructor(socket: WebSocket, parts: LiveParts, open: LiveConnections, times: LiveTimes) {
    this.#socket = socket;
    this.#parts = parts;
    this.#byRecording = open.byRecording;
    this.#times = times;
    this.#connection = {
      send: (message) => this.#send(message),
      get congested() {
        return socket.bufferedAmount > congestedBytes;
      },
      close: (code) => void this.end(code),
    };
    const late = setTimeout(() => this.end(closeCodes.badMessage), times.firstMessageMs ?? 10_000);
    socket.once("message", () => clearTimeout(late));
    socket.on("message", (data, isBinary) => this.#receive(asBuffer(data), isBinary));
    socket.on("pong", () => {
      this.#alive = true;
    });
    // ws answers what breaks the WebSocket protocol with the right close code by itself.
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(late);
      void this.end(1000);
    });
  }

  /** Whoever has not answered the last ping is gone. */
  ping(): void {
    if (!this.#alive) {
      this.#socket.terminate();
      return;
    }
    this.#alive = false;
    this.#socket.ping();
    // Nobody speaks into it, and it holds an engine: what has come is kept, and who goes on connects again.
    if (performance.now() - this.#heardAt > (this.#times.idleMs ?? 5 * 60_000)) {
      void this.end(closeCodes.idle);
      return;
    }
    this.#enqueue(async () => {
      const { db } = this.#parts;
      if (this.#signedIn === undefined || this.#session === undefined) return;
      const user = await findSignedIn(db, this.#signedIn.userId, this.#signedIn.sessionId);
      if (user === undefined) this.#refuse("unauthorized", closeCodes.unauthorized);
      else await this.#session.touch();
    });
  }

  /** Closes the socket and lets go of the recording; resolves when its audio is complete on disk. */
  end(code: number): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      this.#socket.resume();
      this.#socket.close(code);
      this.#enqueue(async () => this.#session?.close());
    }
    return this.#handling;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#ended) return;
    const weight = data.length + messageBytes;
    this.#waitingBytes += weight;
    this.#heardAt = performance.now();
    if (this.#waitingBytes > fullBytes) this.#socket.pause();
    this.#enqueue(async () => {
      this.#waitingBytes -= weight;
      if (this.#waitingBytes < emptyBytes && this.#socket.isPaused) this.#socket.resume();
      if (this.#session === undefined) await this.#start(isBinary ? undefined : data.toString("utf8"));
      else if (isBinary) await this.#session.takeFrame(data);
      else await this.#takeText(this.#session, data.toString("utf8"));
    });
  }

  #enqueue(work: () => Promise<void> | undefined): void {
    this.#handling = this.#handling.then(work).catch((error: unknown) => {
      this.#parts.log.error("live", describeError(error));
      this.#refuse("internal", 1011);
    });
  }

  async #takeText(session: LiveSession, text: string): Promise<void> {
    const message = parseMessage(text);
    if (message?.type === "end") await session.takeEnd(message.frames);
    else this.#connection.close(closeCodes.badMessage);
  }

  async #start(text: string | undefined): Promise<void> {
    const { db, tokens, engines, storage, config, now, log } = this.#parts;
    if (this.#ended) return;
    const start = text === undefined ? undefined : parseMessage(text);
    if (start?.type !== "start") return this.#refuse("badRequest", closeCodes.badMessage);
    const claims = await tokens.verify(start.token);
    const user = claims === undefined ? undefined : await findSignedIn(db, claims.sub, claims.sid);
    if (claims === undefined || user === undefined) return this.#refuse("unauthorized", closeCodes.unauthorized);
    this.#signedIn = { userId: user.id, sessionId: claims.sid };
    this.#endWithSession(claims.sid);
    if (!this.#takePlace(user.id)) return this.#refuse("tooManyAtOnce", closeCodes.tooFast);
    const choice = engines.forLanguage(start.sourceLanguage);
    if (choice === undefined) return this.#refuse("languageUnavailable", closeCodes.badMessage);
    const { recordingId, sourceLanguage, targetLanguage } = start;
    const refusal = await this.#refusalOf(user.id, recordingId);
    if (refusal !== undefined) return this.#refuse(refusal, closeCodes.badMessage);
    const { id } = await openRecording(db, { userId: user.id, recordingId, sourceLanguage, targetLanguage }, now());
    await this.#takeOver(id);
    // Read again: the connection that had it may have stored finals until just now.
    const recording = await findRecording(db, user.id, recordingId);
    if (recording === undefined || recording.transcription_id !== null) return this.#refuse("gone", closeCodes.badMessage);
    this.#session = await LiveSession.open({
      ...{
        db,
        log,
        now,
        connection: this.#connection,
        recording,
        choice,
        path: storage.livePath(id),
        maxBytes: config.maxUploadBytes,
      },
      syncMs: this.#times.syncMs ?? 1_000,
      limitMs: this.#times.limitMs ?? 30_000,
      spend: (samples, at) => this.#spend(recording, samples, at),
    });
  }

  /** What has arrived until then is kept. */
  #endWithSession(sessionId: string): void {
    if (this.#ended) return;
    const end = () => this.#refuse("unauthorized", closeCodes.unauthorized);
    this.#socket.once("close", this.#parts.connections.add(sessionId, end));
  }

  /** @returns false when this person has too many open; the place is given back with the socket */
  #takePlace(userId: string): boolean {
    try {
      const giveBack = this.#parts.places.take(dictationShare, userId);
      if (this.#socket.readyState === this.#socket.CLOSED) giveBack();
      else this.#socket.once("close", giveBack);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  /** At a limit nothing new begins; what has begun is told so as it goes on. @returns which */
  async #refusalOf(userId: string, recordingId: string): Promise<ErrorCode | undefined> {
    const { db, usage, quota } = this.#parts;
    if ((await findRecording(db, userId, recordingId)) !== undefined) return undefined;
    try {
      await usage.refuseAtLimit(userId);
      await quota.refuseWhenFull(userId);
      return undefined;
    } catch (error) {
      if (error instanceof Problem) return error.code;
      throw error;
    }
  }

  #spend({ user_id, recording_id }: RecordingRow, samples: number, at: number): Promise<number> {
    return this.#parts.usage.spend({ userId: user_id, source: recordingSource(recording_id), samples, acceptedAt: at });
  }

  /** The newest connection has the recording; the one before is closed first. */
  async #takeOver(recording: string): Promise<void> {
    const earlier = this.#byRecording.get(recording);
    this.#byRecording.set(recording, this);
    this.#socket.once("close", () => {
      if (this.#byRecording.get(recording) === this) this.#byRecording.delete(recording);
    });
    await earlier?.end(closeCodes.elsewhere);
  }

  #refuse(code: ErrorCode, closeCode: number): void {
    this.#send({ type: "error", code, message: sentenceOf(code) });
    void this.end(closeCode);
  }

  #send(message: ServerMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify(message));
    if (this.#socket.bufferedAmount > maxBufferedBytes) this.#socket.terminate();
  }
}

function parseMessage(text: string): ClientMessage | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ClientMessage), text);
  return parsed.success ? parsed.output : undefined;
}

function asBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
