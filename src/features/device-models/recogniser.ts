import type { Segment } from "#contract/index.ts";

/** What live recognition on this device tells while it runs. */
export interface RecognitionListener {
  /** The words of the current utterance so far; "" when it turned out to have none. */
  onInterim(text: string): void;
  /** The words of a finished utterance; times in seconds from the beginning of the sound. */
  onFinal(segment: Segment): void;
  /** Told once, when it can't go on: a code of the locale files (`device-models:failure.*`), `tooSlow` among them. */
  onFailed(code: string): void;
}

/** Live speech that is recognized on this device. */
export interface DeviceStream {
  /** @param pcm signed 16-bit little-endian, mono, 16,000 Hz, any number of whole samples; its memory is given away */
  write(pcm: Uint8Array<ArrayBuffer>): void;
  /** No more follows. @returns all segments. @throws DeviceFailure */
  end(): Promise<Segment[]>;
  /** Gives it up; nothing more is told. */
  cancel(): void;
}

/** Recognizes speech in this browser, with a model that it keeps. Nothing of the sound or the text leaves it. */
export interface DeviceRecogniser {
  listen(listener: RecognitionListener): DeviceStream;
  /**
   * A whole recording, of any format that this browser can decode.
   * @param onProgress how much of it is done, from 0 to 1
   * @throws DeviceFailure; the signal's reason when it is aborted
   */
  transcribe(sound: Blob, options: { onProgress(fraction: number): void; signal: AbortSignal }): Promise<Segment[]>;
}
