/** Samples of a window of Silero, the voice detector: 32 ms. */
export const sileroWindow = 512;
/** Samples of the window before that Silero is given with each. */
export const sileroContext = 64;
/**
 * From this certainty on a window is a voice. On 27 s of flite, clean, 30 dB softer, with hum and with pink noise 5 dB below it, and
 * on 11 s of a real voice, 0.3 misses no word, and is as deaf to noise, hum and tones as 0.5.
 */
export const sileroThreshold = 0.3;

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
