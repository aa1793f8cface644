import { type DbParts, isPostgres } from "#server/db/open.ts";
import type { Storage } from "#server/storage/storage.ts";
import { RecordingClaimedError, type RecordingRow, touchRecording } from "./queries.ts";
import type { RecordingFile } from "./recording-file.ts";

interface ConfirmingParts extends DbParts {
  storage: Pick<Storage, "liveBlocks">;
  /** As it was opened. */
  recording: Pick<RecordingRow, "id" | "touched_at">;
  /** This connection, as the recording's owner. */
  owner: string;
  /** All of it is durable. */
  file: RecordingFile;
  /** Frames are flushed to disk together, at most this often (milliseconds). */
  syncMs: number;
  /** So many frames are durable. */
  confirm(frames: number): void;
  /** What was to be made durable later, is not. */
  onFailure(error: unknown): void;
}

/** Makes what arrives of a recording durable, and confirms it: a frame is acknowledged only once it is flushed to disk. */
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

  /** Confirms what has arrived in a little while, with what arrives until then. */
  soon(): void {
    if (this.#timer !== undefined || this.#syncing !== undefined) return;
    const wait = Math.max(0, this.#syncedAt + this.#parts.syncMs - performance.now());
    this.#timer = setTimeout(() => {
      this.now().catch((error: unknown) => this.#parts.onFailure(error));
    }, wait);
  }

  /** Confirms what has arrived. @throws RecordingClaimedError, and what disk, bucket and database do */
  async now(): Promise<void> {
    // Whoever waited, too, may have begun anew meanwhile.
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

  /** Nothing is made durable later any more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** After `stop`: makes durable what is left, and confirms it to nobody. @throws as `now` */
  async finish(): Promise<void> {
    await this.#syncing;
    // That somebody has gone is no use of it.
    await this.#keep(this.#touchedAt);
  }

  /** On this machine's disk, or for all machines, where only the owner may do so. @param at epoch ms */
  async #keep(at: number): Promise<void> {
    const { storage, db, recording, file } = this.#parts;
    const blocks = storage.liveBlocks(recording.id);
    const [first, frames] = [this.#safeFrames, file.frames];
    if (blocks === undefined) await file.sync();
    else if (frames > first) await blocks.append(first, await file.blockFrom(first));
    // Nobody else has this database.
    if (!isPostgres(db)) return;
    // After it was written: whoever has taken the recording before that may not have read it.
    if (!(await this.#mark(at))) throw new RecordingClaimedError();
  }

  #mark(at: number): Promise<boolean> {
    const { db, recording, owner, file } = this.#parts;
    this.#touchedAt = at;
    return touchRecording(db, { id: recording.id, owner }, { at, bytes: file.samples * 2 });
  }
}
