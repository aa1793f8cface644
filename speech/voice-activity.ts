/** Samples of a window of Silero, the voice detector: 32 ms. */
export const sileroWindow = 512;

/** Tells in which windows of `sileroWindow` samples somebody speaks: a digit for each, 1 for a voice. */
export interface VoiceActivity {
  /** Of a recording of at most 120 s, its unfinished last window included; undefined when that can't be told here. */
  windows(pcm: Uint8Array): Promise<string | undefined>;
  /** Undefined when that can't be told here. */
  open(): Promise<ActivityStream | undefined>;
  close(): Promise<void>;
}

export interface ActivityStream {
  /** The windows that are whole now. @throws when nothing can be told of this stream any more */
  push(pcm: Uint8Array): Promise<string>;
  close(): void;
}
