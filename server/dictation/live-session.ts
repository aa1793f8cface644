import { randomUUID } from "node:crypto";
import { closeCodes, type ErrorCode, maxFrameBytes, type Segment } from "#contract/index.ts";
import { DatabaseGoneError } from "#server/db/errors.ts";
import { isDiskFull, Problem, sentenceOf } from "#server/errors/problem.ts";
import { describeError } from "#server/log/log.ts";
import { type EngineChoice, SpeechError, type SpokenMeter } from "#server/speech/index.ts";
import { maxSpoken } from "#server/transcription/spoken-bytes.ts";
import { type Expectations, expectationsOf } from "#server/vocabulary/expectations.ts";
import { pcmRate } from "#speech/bytes.ts";
import { tidyStart } from "#speech/written/joins.ts";
import { write } from "#speech/written/write.ts";
import { Allowance } from "./allowance.ts";
import { Confirming } from "./confirming.ts";
import { Feeder } from "./feeder.ts";
import {
  addFinal,
  claimRecording,
  completeRecording,
  leaveToEngine,
  listFinals,
  RecordingClaimedError,
  type RecordingRow,
} from "./queries.ts";
import { measureSpoken, RecordingFile, restoreRecording } from "./recording-file.ts";
import type { SessionParts } from "./session-parts.ts";
import { Spending } from "./spending.ts";

/** The database's record of a recording when it is opened. */
interface Known {
  recording: RecordingRow;
  owner: string;
  finals: Segment[];
  expectations: Expectations;
  /** Has measured the whole file. */
  meter: SpokenMeter;
}

/**
 * Minimum average frame length, 10 ms (in samples): each frame costs the same, however short. The first frames are
 * exempt.
 */
const minSamples = pcmRate / 100;
const freeFrames = 1_000;
/** Segments recognized by the browser that may be more than there are frames. */
const freeRecognizedSegments = 100;

/** One connection that feeds one recording, from `start` until `done` or disconnection. */
export class LiveSession {
  readonly #parts: SessionParts;
  readonly #owner: string;
  readonly #file: RecordingFile;
  readonly #feeder: Feeder | undefined;
  readonly #expectations: Expectations;
  readonly #segments: Segment[];
  /** Bytes of the text that the page has recognized. */
  #heardBytes: number;
  readonly #spending: Spending;
  readonly #confirming: Confirming;
  #feeding: Promise<void> = Promise.resolve();
  #total: number | null;
  #hasAskedAgain = false;
  readonly #allowance: Allowance;
  /** When the last frame arrived, epoch ms: usage counts for its month, however long the silence after it. */
  #takenAt: number;
  /** The limit is reached: no more frames are accepted. */
  #full = false;
  #limitTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  private constructor(parts: SessionParts, file: RecordingFile, known: Known) {
    this.#parts = { ...parts, recording: known.recording };
    this.#owner = known.owner;
    this.#file = file;
    this.#segments = known.finals;
    this.#heardBytes = bytesOf(known.finals);
    this.#spending = new Spending({
      meter: known.meter,
      silenceMs: parts.silenceMs,
      recognized: () => (parts.choice === undefined ? [] : this.#segments),
      spend: parts.spend,
    });
    this.#confirming = new Confirming({
      ...parts,
      ...known,
      file,
      confirm: (frames) => parts.connection.send({ type: "ack", ack: frames }),
      onFailure: (error) => this.#giveUp(error),
    });
    this.#total = known.recording.total_frames;
    this.#takenAt = parts.recording.touched_at;
    this.#allowance = new Allowance(
      () => this.#spend(),
      () => this.#sayLimit(null),
    );
    this.#expectations = known.expectations;
    this.#feeder = parts.choice === undefined ? undefined : this.#createFeeder(parts.choice);
  }

  #createFeeder(choice: EngineChoice): Feeder {
    const { connection, recording } = this.#parts;
    return new Feeder({
      choice,
      person: recording.user_id,
      vocabulary: this.#expectations.terms,
      file: this.#file,
      fromSample: Math.min(recording.final_sample, this.#file.samples),
      onPartial: (partial) => {
        if (!connection.congested) connection.send(partial);
      },
      onFinal: async (segment, finalSample) => {
        for (const written of await this.#written(segment, choice.language)) await this.#keepFinal(written, finalSample);
      },
    });
  }

  /**
   * Takes over the recording and reports where to resume. If another process confirms frames afterwards without
   * noticing, nothing is lost: they are refused there, and the page sends them here.
   * @throws RecordingClaimedError if it no longer exists, or belongs to a transcription by now
   */
  static async open(parts: SessionParts): Promise<LiveSession> {
    await using opened = new AsyncDisposableStack();
    const { db, storage } = parts;
    const owner = randomUUID();
    const claimed = await claimRecording(db, parts.recording.id, owner, parts.now());
    if (claimed === undefined) throw new RecordingClaimedError();
    const isLeftToEngine = claimed.heard_by !== null && parts.choice !== undefined && claimed.total_frames === null;
    const recording = isLeftToEngine ? await leaveToEngine(db, claimed) : claimed;
    const file = await RecordingFile.open(await restoreRecording(storage, recording.id));
    opened.defer(() => file.close());
    const finals = await listFinals(db, recording.id);
    const expectations = await expectationsOf(db, recording.user_id, null);
    const meter = await measureSpoken(file);
    const session = new LiveSession(parts, file, { recording, owner, finals, expectations, meter });
    opened.move();
    session.#sendReady();
    session.#beginFeeding();
    return session;
  }

  #beginFeeding(): void {
    if (this.#total !== null || this.#feeder === undefined) return;
    this.#feeding = this.#feeder.run();
    this.#feeding.catch((error: unknown) => this.#giveUp(error));
  }

  /** Handles a binary message. A protocol violation closes the connection. */
  async addFrame(message: Buffer): Promise<void> {
    const { connection, maxBytes } = this.#parts;
    if (message.length < 6 || message.length % 2 !== 0 || message.length > maxFrameBytes)
      return connection.close(closeCodes.badMessage);
    if (this.#closing !== undefined) return;
    const number = message.readUInt32LE(0);
    if (number < this.#file.frames || this.#full) return;
    if (number > this.#file.frames || this.#total !== null) return this.#askAgain();
    const pcm = message.subarray(4);
    if (this.#file.frames > freeFrames && this.#file.samples < this.#file.frames * minSamples) {
      return this.#refuse("tooManyRequests", closeCodes.tooFast);
    }
    if (this.#file.samples * 2 + pcm.length > maxBytes) return this.#refuse("tooLarge", closeCodes.badMessage);
    if (!(await this.#allowance.admits(this.#file.samples))) return this.#stopAtLimit();
    await this.#file.append(pcm);
    this.#spending.push(pcm);
    this.#takenAt = this.#parts.now();
    this.#hasAskedAgain = false;
    this.#feeder?.grow();
    this.#confirming.soon();
  }

  /** The page has sent all its frames. Answers `done` when all are here and final, or requests the missing ones. */
  async setEnd(frames: number): Promise<void> {
    if (this.#closing !== undefined) return;
    if (frames < this.#file.frames) return this.#parts.connection.close(closeCodes.badMessage);
    if (frames > this.#file.frames) {
      if (this.#full) return this.#sayFull();
      this.#hasAskedAgain = false;
      return this.#askAgain();
    }
    await this.#confirming.now();
    this.#finish(frames).catch((error: unknown) => this.#giveUp(error));
  }

  /**
   * Adds the browser's segments in order. There can be hardly more segments than frames, and no more words than can be
   * spoken in them.
   */
  async addRecognized(index: number, segment: Segment): Promise<void> {
    const { connection, recording } = this.#parts;
    if (this.#closing !== undefined || index < this.#segments.length) return;
    // It was spoken after the limit, in audio that is not accepted: it belongs to the page's next recording.
    if (this.#full && segment.start * pcmRate >= this.#file.samples) return;
    if (index > this.#segments.length) return this.#askAgain();
    const isOne = this.#feeder === undefined && this.#total === null && index < this.#file.frames + freeRecognizedSegments;
    if (!isOne || segment.text.trim() === "" || segment.end < segment.start) return connection.close(closeCodes.badMessage);
    this.#hasAskedAgain = false;
    const { start, end, text, words } = segment;
    const finalSample = Math.min(this.#file.samples, Math.round(end * pcmRate));
    const written = await this.#written({ start, end, text, words }, recording.source_language);
    this.#heardBytes += bytesOf(written);
    if (this.#heardBytes > maxSpoken(this.#file.samples / pcmRate)) return connection.close(closeCodes.badMessage);
    for (const one of written) await this.#keepFinal(one, finalSample);
  }

  /** Marks the recording as in use, so that it is not treated as abandoned. */
  async touch(): Promise<void> {
    if (!(await this.#confirming.touch())) this.#parts.connection.close(closeCodes.elsewhere);
  }

  /** Releases the recording; everything received is on disk when this resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#release();
    return this.#closing;
  }

  async #release(): Promise<void> {
    this.#confirming.stop();
    clearTimeout(this.#limitTimer);
    this.#feeder?.close();
    await this.#feeding.catch(() => {});
    try {
      await this.#confirming.finish();
      await this.#spend();
    } catch (error) {
      if (!(error instanceof RecordingClaimedError)) throw error;
    } finally {
      await this.#file.close();
      await this.#parts.storage.releaseLive(this.#parts.recording.id);
    }
  }

  async #finish(frames: number): Promise<void> {
    const { db, connection, recording } = this.#parts;
    if (this.#total === null) {
      this.#feeder?.end();
      await this.#feeding;
      if (this.#closing !== undefined) return;
      await this.#spend();
      await completeRecording(db, recording.id, this.#owner, frames);
      this.#total = frames;
    }
    connection.send({ type: "done", segments: this.#segments, durationSeconds: this.#file.samples / pcmRate });
    connection.close(1000);
  }

  /** Applies the person's spelling rules. */
  #written(segment: Segment, language: string): Promise<Segment[]> {
    const { punctuator, recording } = this.#parts;
    const wording = { replace: this.#expectations.replace, language, punctuator, person: recording.user_id };
    return write([tidyStart(segment, this.#segments.at(-1))], wording);
  }

  /**
   * Not before its audio is durable: if that were lost, the page would send it again, and its words would appear twice.
   */
  async #keepFinal(segment: Segment, finalSample: number): Promise<void> {
    await this.#confirming.now();
    const index = this.#segments.length;
    await addFinal(this.#parts.db, this.#parts.recording.id, this.#owner, { idx: index, segment, finalSample });
    this.#segments.push(segment);
    this.#parts.connection.send({ type: "final", index, segment });
  }

  #sendReady(): void {
    this.#parts.connection.send({ type: "ready", ack: this.#file.frames, segments: this.#segments });
  }

  /**
   * Requests missing frames once per gap: otherwise every frame in flight would repeat the request. Confirmed frames
   * are durable.
   */
  async #askAgain(): Promise<void> {
    if (this.#hasAskedAgain) return;
    this.#hasAskedAgain = true;
    await this.#confirming.now();
    this.#sendReady();
  }

  /** A failed count does not stop the dictation: it is counted again when the recording is saved. */
  #spend(): Promise<number> {
    return this.#spending.count(this.#file.samples, this.#takenAt).catch((error: unknown) => {
      this.#parts.log.warn("usage not recorded", describeError(error));
      return Number.POSITIVE_INFINITY;
    });
  }

  /** The accepted audio is still transcribed: asks the page to end the recording here. */
  #stopAtLimit(): void {
    this.#full = true;
    this.#sayFull();
    this.#limitTimer = setTimeout(() => this.#refuse("limitReached", closeCodes.badMessage), this.#parts.limitMs);
  }

  #sayFull(): void {
    this.#sayLimit(this.#file.frames);
  }

  #sayLimit(frames: number | null): void {
    this.#parts.connection.send({ type: "limit", frames, ...(this.#spending.isSilent && { silence: true }) });
  }

  #refuse(code: ErrorCode, closeCode: number): void {
    this.#parts.connection.send({ type: "error", code, message: sentenceOf(code) });
    this.#parts.connection.close(closeCode);
  }

  /** The audio is safe: the page reconnects, and a new engine resumes from the last final. */
  #giveUp(error: unknown): void {
    if (this.#closing !== undefined) return;
    if (error instanceof RecordingClaimedError) {
      this.#parts.connection.close(closeCodes.elsewhere);
      return;
    }
    this.#parts.log.warn("dictation failed", { recording: this.#parts.recording.id, ...describeError(error) });
    this.#refuse(codeOf(error), 1011);
  }
}

const bytesOf = (segments: readonly Segment[]): number => Buffer.byteLength(JSON.stringify(segments));

/** Not every failure is the engine's: the disk may be full, or the bucket or the database unreachable. */
function codeOf(error: unknown): ErrorCode {
  if (error instanceof Problem) return error.code;
  if (isDiskFull(error)) return "storageFull";
  if (error instanceof DatabaseGoneError) return "internal";
  return error instanceof SpeechError && error.code === "tooManyAtOnce" ? "tooManyAtOnce" : "engineFailed";
}
