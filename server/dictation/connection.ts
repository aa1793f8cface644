import type { WebSocket } from "ws";
import { closeCodes, type ErrorCode, type ServerMessage } from "#contract/index.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { DbParts } from "#server/db/open.ts";
import { isOwnFault, Problem, sentenceOf } from "#server/errors/problem.ts";
import { type Concurrency, dictationConcurrency } from "#server/http/concurrency.ts";
import { problemOf } from "#server/http/problem-of.ts";
import { closeInTime } from "#server/http/web-sockets.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { findSignedIn } from "#server/session/queries.ts";
import type { EngineChoice, Punctuator, SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import { recordingSource, type UsageMeter } from "#server/subscription/usage.ts";
import { LiveSession } from "./live-session.ts";
import { asBuffer, parseMessage } from "./messages.ts";
import { countUnsaved, findRecording, openRecording, RecordingClaimedError, type RecordingRow } from "./queries.ts";
import type { DictationConnection } from "./session-parts.ts";

/** Received bytes not yet on disk: reading pauses above the first limit and resumes below the second. */
const [fullBytes, emptyBytes] = [1024 * 1024, 256 * 1024];
/** Overhead of a queued message, in bytes. */
const messageBytes = 256;
/** The maximum number of a person's unsaved recordings. Each continues when the person's storage is full. */
const maxUnsaved = 50;
/** Unsent bytes above which partial results are dropped, and above which the client counts as unresponsive. */
const [congestedBytes, maxBufferedBytes] = [256 * 1024, 16 * 1024 * 1024];

export interface LiveTimes {
  /** Timeout for the first message. Default 10,000 ms. */
  firstMessageMs?: number;
  /** Timeout without a frame after the start or the last frame. Default 300,000 ms. */
  idleMs?: number;
  /** Ping interval; a client that has not answered by the next ping is disconnected. Default 15,000 ms. */
  pingMs?: number;
  /** Frames are flushed to disk at most this often. Default 1,000 ms. */
  syncMs?: number;
  /** Time for the page to end a recording that has reached the limit. Default 30,000 ms. */
  limitMs?: number;
  /** The silence that one recording of a person with a limit may have. Default 1,800,000 ms. */
  silenceMs?: number;
}

/** A connection's dependencies. */
export interface ConnectionParts extends DbParts {
  config: { maxUploadBytes: number };
  log: Log;
  bus: Bus;
  tokens: AccessTokens;
  connections: OpenConnections;
  storage: Storage;
  engines: SpeechEngines;
  punctuator: Punctuator;
  usage: UsageMeter;
  concurrency: Concurrency;
  quota: StorageQuota;
}

/** One socket, whose messages are handled in sequence. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #parts: ConnectionParts;
  readonly #byRecording: Map<string, Connection>;
  readonly #times: LiveTimes;
  readonly #connection: DictationConnection;
  #handling: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #alive = true;
  #heardAt = performance.now();
  #ended = false;
  #session: LiveSession | undefined;

  /** @param byRecording the newest connection of each recording, shared by all connections */
  constructor(socket: WebSocket, parts: ConnectionParts, byRecording: Map<string, Connection>, times: LiveTimes) {
    this.#socket = socket;
    this.#parts = parts;
    this.#byRecording = byRecording;
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
    // ws answers WebSocket protocol errors with the right close code itself.
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(late);
      void this.end(1000);
    });
  }

  /** Disconnects a client that has not answered the last ping. */
  ping(): void {
    if (!this.#alive) {
      this.#socket.terminate();
      return;
    }
    this.#alive = false;
    this.#socket.ping();
    // An idle connection occupies an engine: received audio is kept, and the client reconnects to continue.
    if (performance.now() - this.#heardAt > (this.#times.idleMs ?? 5 * 60_000)) {
      void this.end(closeCodes.idle);
      return;
    }
    this.#enqueue(async () => this.#session?.touch());
  }

  /** Closes it if another process has the recording now. */
  recheck(): void {
    this.#enqueue(async () => (this.#ended ? undefined : this.#session?.touch()));
  }

  /** Closes the socket and releases the recording; resolves when its audio is complete on disk. */
  end(code: number): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      closeInTime(this.#socket, code);
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
      else if (isBinary) await this.#session.addFrame(data);
      else await this.#onText(this.#session, data.toString("utf8"));
    });
  }

  #enqueue(work: () => Promise<void> | undefined): void {
    this.#handling = this.#handling.then(work).catch((error: unknown) => {
      const problem = problemOf(error);
      if (isOwnFault(problem)) this.#parts.log.error("dictation failed", describeError(error));
      this.#refuse(problem.code, 1011);
    });
  }

  async #onText(session: LiveSession, text: string): Promise<void> {
    const message = parseMessage(text);
    if (message?.type === "end") await session.setEnd(message.frames);
    else if (message?.type === "heard") await session.addRecognized(message.index, message.segment);
    else this.#connection.close(closeCodes.badMessage);
  }

  async #start(text: string | undefined): Promise<void> {
    const { db, tokens, engines, now } = this.#parts;
    if (this.#ended) return;
    const start = text === undefined ? undefined : parseMessage(text);
    if (start?.type !== "start") return this.#refuse("badRequest", closeCodes.badMessage);
    const claims = await tokens.verify(start.token);
    const user = claims === undefined ? undefined : await findSignedIn(db, claims.sub, claims.sid);
    if (claims === undefined || user === undefined) return this.#refuse("unauthorized", closeCodes.unauthorized);
    this.#endWithSession(claims.sid);
    if (!(await this.#claimSlot(user.id))) return this.#refuse("tooManyAtOnce", closeCodes.tooFast);
    const choice = engines.forLanguage(start.sourceLanguage, "live");
    if (choice === undefined && start.heardBy === undefined) return this.#refuse("languageUnavailable", closeCodes.badMessage);
    const { recordingId, sourceLanguage, targetLanguage, heardBy } = start;
    const refusal = await this.#refusalOf(user.id, recordingId);
    if (refusal !== undefined) return this.#refuse(refusal, closeCodes.badMessage);
    const { id } = await openRecording(db, { userId: user.id, recordingId, sourceLanguage, targetLanguage, heardBy }, now());
    await this.#replaceEarlier(id);
    // Read again: the previous connection may have stored finals until now.
    const recording = await findRecording(db, user.id, recordingId);
    if (recording === undefined || recording.transcription_id !== null) return this.#refuse("gone", closeCodes.badMessage);
    const isByEngine = heardBy === undefined || recording.heard_by === null;
    const session = await this.#openSession(recording, isByEngine ? choice : undefined);
    if (session === undefined) return this.#refuse("gone", closeCodes.badMessage);
    this.#session = session;
    this.#parts.bus.publish("recordings.taken", id);
  }

  /** @returns undefined when the recording was saved or deleted in this moment */
  async #openSession(recording: RecordingRow, choice: EngineChoice | undefined): Promise<LiveSession | undefined> {
    const { db, punctuator, storage, config, now, log } = this.#parts;
    try {
      return await LiveSession.open({
        db,
        log,
        now,
        connection: this.#connection,
        recording,
        choice,
        punctuator,
        storage,
        maxBytes: config.maxUploadBytes,
        syncMs: this.#times.syncMs ?? 1_000,
        limitMs: this.#times.limitMs ?? 30_000,
        silenceMs: this.#times.silenceMs ?? 30 * 60_000,
        spend: (samples, at) => this.#spend(recording, samples, at),
      });
    } catch (error) {
      if (error instanceof RecordingClaimedError) return undefined;
      throw error;
    }
  }

  /** All audio received until then is kept. */
  #endWithSession(sessionId: string): void {
    if (this.#ended) return;
    const right = { sessionId, questions: [] };
    const end = ({ code }: Problem) => {
      // A client that does not read gets no more messages.
      if (this.#socket.bufferedAmount > congestedBytes) this.#socket.terminate();
      this.#refuse(code, code === "unauthorized" ? closeCodes.unauthorized : 1011);
    };
    this.#socket.once(
      "close",
      this.#parts.connections.add(() => right, end),
    );
  }

  /** @returns false when this user has too many open; released when the socket closes */
  async #claimSlot(userId: string): Promise<boolean> {
    try {
      const giveBack = await this.#parts.concurrency.take(dictationConcurrency, userId);
      if (this.#socket.readyState === this.#socket.CLOSED) giveBack();
      else this.#socket.once("close", giveBack);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  /**
   * At a limit no new recording starts; a recording in progress learns of the limit as it continues.
   * @returns the limit reached
   */
  async #refusalOf(userId: string, recordingId: string): Promise<ErrorCode | undefined> {
    const { db, usage, quota } = this.#parts;
    if ((await findRecording(db, userId, recordingId)) !== undefined) return undefined;
    try {
      await usage.refuseAtLimit(userId);
      await quota.refuseWhenFull(userId);
      return (await countUnsaved(db, userId)) < maxUnsaved ? undefined : "tooManyAtOnce";
    } catch (error) {
      if (error instanceof Problem) return error.code;
      throw error;
    }
  }

  #spend(recording: RecordingRow, samples: number, at: number): Promise<number> {
    return this.#parts.usage.spend({ userId: recording.user_id, source: recordingSource(recording), samples, acceptedAt: at });
  }

  /** The newest connection owns the recording; the previous one is closed first. */
  async #replaceEarlier(recording: string): Promise<void> {
    const earlier = this.#byRecording.get(recording);
    this.#byRecording.set(recording, this);
    // Not before its audio is complete: the save of the recording waits for that, and then another process may read it.
    const leave = async () => {
      await this.end(1000);
      if (this.#byRecording.get(recording) === this) this.#byRecording.delete(recording);
    };
    if (this.#socket.readyState === this.#socket.CLOSED) void leave();
    else this.#socket.once("close", leave);
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
