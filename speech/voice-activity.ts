/** Samples of a window of Silero, the voice detector: 32 ms. */
export const sileroWindow = 512;
/** Samples before each window that Silero needs, too. */
export const sileroContext = 64;
/**
 * Lowest probability of a window with a voice. On 27 s of flite, clean, 30 dB softer, with hum and with pink noise 5 dB
 * below it, and on 11 s of a real voice, 0.3 misses no word, and rejects noise, hum and tones as well as 0.5.
 */
export const sileroThreshold = 0.3;

/** Detects voices in windows of `sileroWindow` samples: one digit for each, 1 for a voice. */
export interface VoiceActivity {
  /**
   * The windows of a recording of at most 120 s, including an incomplete last one; undefined when detection is
   * unavailable.
   */
  windows(pcm: Uint8Array): Promise<string | undefined>;
  /** Opens a live stream; undefined when detection is unavailable. */
  open(): Promise<ActivityStream | undefined>;
  close(): Promise<void>;
}

export interface ActivityStream {
  /** The windows that are now complete. @throws when detection has ended for this stream */
  push(pcm: Uint8Array): Promise<string>;
  close(): void;
}
