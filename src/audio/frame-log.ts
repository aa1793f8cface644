import { frameSamples } from "#contract/index.ts";
import { createListeners } from "#src/browser/listeners.ts";
import { recognizedAfter, unconfirmedRecognized } from "./recognized-words.ts";
import { nobody, type RecordingDb, type RecordingRow } from "./recording-db.ts";

/** The maximum number of frames in one read: 10 s. */
export const batchFrames = 125;

/**
 * The frames of one recording. Each is stored in the browser before it can be read, until the server confirms it.
 * Memory is used if the browser has no room. Operations run in call order.
 */
export class FrameLog {
  readonly #db: RecordingDb;
  readonly #onTrouble: () => void;
  readonly #memory = new Map<number, Uint8Array<ArrayBuffer>>();
  readonly #listeners = createListeners();
  #row: RecordingRow;
  #appended: number;
  #written: number;
  #work: Promise<void> = Promise.resolve();

  /**
   * @param row the stored row, or one about to be stored
   * @param written the number of frames so far
   * @param onTrouble called each time the browser could not store something
   */
  constructor(db: RecordingDb, row: RecordingRow, written: number, onTrouble: () => void) {
    this.#db = db;
    this.#row = row;
    this.#appended = written;
    this.#written = written;
    this.#onTrouble = onTrouble;
  }

  get row(): RecordingRow {
    return this.#row;
  }

  /** The number of readable frames, including confirmed ones. */
  get written(): number {
    return this.#written;
  }

  /** The number of frames for the server, once the last one is readable; null before. */
  get captured(): number | null {
    const { cut, frames } = this.#row;
    if (cut !== undefined && cut <= this.#written) return cut;
    return frames === this.#written ? this.#written : null;
  }

  /** The same, once this browser has also recognized all their words; null before. */
  get total(): number | null {
    const { heardBy, frames, heardToEnd } = this.#row;
    const isRecognized = heardBy === undefined || (heardBy === "device" ? heardToEnd === true : frames !== null);
    return isRecognized ? this.captured : null;
  }

  /** Subscribes to each readable frame, and to the end. @returns the unsubscribe function */
  subscribe(listener: () => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  append(pcm: Uint8Array<ArrayBuffer>): void {
    const number = this.#appended++;
    this.#do(async () => {
      try {
        await this.#db.putFrame(this.#row.id, number, pcm);
      } catch {
        this.#memory.set(number, pcm);
        this.#onTrouble();
      }
      this.#written = number + 1;
      this.#notify();
    });
  }

  /** Called when no more frames will be appended. */
  end(): void {
    if (this.#row.frames === null) this.change({ frames: this.#appended });
  }

  /** Skips frames that only the server has. */
  skipTo(number: number): void {
    if (number <= this.#appended) return;
    this.#appended = number;
    this.#do(async () => {
      this.#written = Math.max(this.#written, number);
    });
    this.change({ confirmed: number, ...(this.#row.frames === null ? {} : { frames: number }) });
  }

  /**
   * Called when the server has confirmed all frames below `number`. They are deleted here, unless the server keeps
   * none.
   */
  confirm(number: number): void {
    if (number <= this.#row.confirmed || this.#row.ownerId === nobody) return;
    this.change({ confirmed: number });
    this.#removeConfirmed();
  }

  /** Called when this device has recognized all of the recording. */
  endWords(): void {
    this.change({ heardToEnd: true });
    this.#removeConfirmed();
  }

  /** Lets the server recognize the recording from its beginning, because this device can't. */
  leaveToServer(): void {
    this.change({ heardBy: undefined, heard: undefined, heardConfirmed: undefined });
    this.#removeConfirmed();
  }

  #removeConfirmed(): void {
    const { id, confirmed, heardBy, heardToEnd } = this.#row;
    // This device still has to recognize them.
    if (heardBy === "device" && heardToEnd !== true) return;
    this.#do(async () => {
      for (const held of this.#memory.keys()) if (held < confirmed) this.#memory.delete(held);
      await this.#db.removeFramesBelow(id, confirmed).catch(() => {});
    });
  }

  /** Starts again on the server, under new ids, with the unconfirmed frames. */
  restart(): void {
    this.change({ ...newNames(), ...unconfirmedRecognized(this.#row), base: this.#row.confirmed });
  }

  /** Called when the server has accepted only the frames below `number`, and will accept no more. */
  cutAt(number: number): void {
    if (this.#row.cut !== number) this.change({ cut: number });
  }

  change(change: Partial<RecordingRow>): void {
    const row = { ...this.#row, ...change };
    this.#row = row;
    this.#do(async () => {
      await this.#db.put(row).catch(() => this.#onTrouble());
      this.#notify();
    });
  }

  /**
   * Reads at most `most` frames from `from` on. A frame that was lost with the tab, because the browser had no room for
   * it, becomes silence, so that the following frames keep their time.
   */
  async read(from: number, most: number): Promise<Uint8Array<ArrayBuffer>[]> {
    await this.#work;
    const to = Math.min(this.#written, from + most);
    if (to <= from) return [];
    const stored = await this.#db.frames(this.#row.id, from, to).catch(() => new Map<number, Uint8Array<ArrayBuffer>>());
    const frame = (number: number) => this.#memory.get(number) ?? stored.get(number) ?? new Uint8Array(frameSamples * 2);
    return Array.from({ length: to - from }, (_, i) => frame(from + i));
  }

  /** Resolves when all operations called so far are finished. */
  settled(): Promise<void> {
    return this.#work;
  }

  #do(work: () => Promise<void>): void {
    this.#work = this.#work.then(work);
  }

  #notify(): void {
    this.#listeners.emit();
  }
}

/** New ids, which the server does not know yet. */
function newNames() {
  return { recordingId: crypto.randomUUID(), clientId: crypto.randomUUID(), reached: false } as const;
}

/**
 * The rest of a recording that was cut off at the end of the free minutes, as a separate recording.
 * @param count the number of frames
 * @returns undefined when nothing is left
 */
export function restOf({ cut, ...row }: RecordingRow, count: number): RecordingRow | undefined {
  if (cut === undefined || cut >= count) return undefined;
  return {
    ...row,
    ...newNames(),
    ...recognizedAfter(row, cut),
    base: cut,
    confirmed: cut,
    frames: count,
    overLimit: true,
    fate: "open",
  };
}
