import type { Segment } from "#contract/index.ts";

/** Callbacks of live recognition on this device. */
export interface RecognitionListener {
  /** The words of the current utterance so far; "" when it has turned out to have none. */
  onInterim(text: string): void;
  /** The words of a finished utterance. Times are seconds from the beginning of the recording. */
  onFinal(segment: Segment): void;
  /**
   * Called once, when recognition can't continue. `code` is a key of the locale files (`device-models:failure.*`), for
   * example `tooSlow`.
   */
  onFailed(code: string): void;
}

/** Live speech that this device recognizes. */
export interface DeviceStream {
  /**
   * @param pcm signed 16-bit little-endian, mono, 16,000 Hz, any number of whole samples. Its memory is transferred.
   */
  write(pcm: Uint8Array<ArrayBuffer>): void;
  /** Ends the stream. @returns all segments. @throws DeviceFailure */
  end(): Promise<Segment[]>;
  /** Cancels the stream. No callback is called afterwards. */
  cancel(): void;
}

/** Recognizes speech with a model stored in this browser. Neither audio nor text leaves the browser. */
export interface DeviceRecogniser {
  listen(listener: RecognitionListener): DeviceStream;
  /**
   * Transcribes a whole recording in any format that this browser can decode.
   * @param onProgress the finished part, from 0 to 1
   * @throws DeviceFailure; the signal's reason when it is aborted
   */
  transcribe(sound: Blob, options: { onProgress(fraction: number): void; signal: AbortSignal }): Promise<Segment[]>;
}
