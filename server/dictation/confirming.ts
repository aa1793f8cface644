import { type DbParts, isPostgres } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { RecordingClaimedError, type RecordingRow, touchRecording } from "./queries.ts";
import type { RecordingFile } from "./recording-file.ts";

interface ConfirmingParts extends DbParts {
  storage: Pick<Storage, "liveBlocks">;
  /** The recording's row as it was opened. */
  recording: Pick<RecordingRow, "id" | "touched_at">;
  /** This connection, as the recording's owner. */
  owner: string;
  /** All of it is durable. */
  file: RecordingFile;
  /** Frames are flushed to disk together, at most this often (milliseconds). */
  syncMs: number;
  /** So many frames are durable. */
  confirm(frames: number): void;
  /** Called when a later flush fails. */
  onFailure(error: unknown): void;
}

/** Makes a recording's frames durable, and confirms them: a frame is acknowledged only after it is flushed to disk. */
export class Confirming {
  readonly #parts: ConfirmingParts;
  #safeFrames: number;
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #syncedAt = 0;
  /** When the recording was last marked as in use, epoch ms. */
  #touchedAt: number;
  #isStopped = false;

  constructor(parts: ConfirmingParts) {
    this.#parts = parts;
    this.#safeFrames = parts.file.frames;
    this.#touchedAt = parts.recording.touched_at;
  }

  /** Confirms the frames soon, together with those that arrive until then. */
  soon(): void {
    if (this.#timer !== undefined || this.#syncing !== undefined) return;
    const wait = Math.max(0, this.#syncedAt + this.#parts.syncMs - performance.now());
    this.#timer = setTimeout(() => {
      this.now().catch((error: unknown) => this.#parts.onFailure(error));
    }, wait);
  }

  /**
   * Confirms the frames that have arrived.
   * @throws RecordingClaimedError, and errors of disk, bucket and database
   */
  async now(): Promise<void> {
    // Another waiting call may have started a new flush.
    while (this.#syncing !== undefined) await this.#syncing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { frames } = this.#parts.file;
    if (frames === this.#safeFrames) return;
    this.#syncing = this.#keep(this.#parts.now()).finally(() => {
      this.#syncing = undefined;
    });
    await this.#syncing;
    this.#syncedAt = performance.now();
    this.#safeFrames = frames;
    this.#parts.confirm(frames);
    if (this.#parts.file.frames > frames && !this.#isStopped) this.soon();
  }

  /** Marks the recording as in use. @returns false when another connection has it */
  touch(): Promise<boolean> {
    return this.#mark(this.#parts.now());
  }

  /** Stops all later flushes. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /**
   * After `stop`: makes the remaining frames durable, without confirming them to the client.
   * @throws as `now`
   */
  async finish(): Promise<void> {
    await this.#syncing;
    // A user who has disconnected does not count as activity.
    await this.#keep(this.#touchedAt);
  }

  /** On this machine's disk, or for all machines, where only the owner may do so. @param at epoch ms */
  async #keep(at: number): Promise<void> {
    const { storage, db, recording, file } = this.#parts;
    const blocks = storage.liveBlocks(recording.id);
    const [first, frames] = [this.#safeFrames, file.frames];
    if (blocks === undefined) await file.sync();
    else if (frames > first) await blocks.append(first, await file.blockFrom(first));
    // No other process uses this database.
    if (!isPostgres(db)) return;
    // After writing: a process that took over the recording before may not have read it.
    if (!(await this.#mark(at))) throw new RecordingClaimedError();
  }

  #mark(at: number): Promise<boolean> {
    const { db, recording, owner, file } = this.#parts;
    this.#touchedAt = at;
    return touchRecording(db, { id: recording.id, owner }, { at, bytes: file.samples * 2 });
  }
}
