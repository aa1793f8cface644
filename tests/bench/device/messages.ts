/** What the worker of the bench's page is asked: recordings are WAV files of 16,000 Hz, mono. */
export type Question = { type: "transcribe" | "listen"; sound: string };

export interface Transcribed {
  /** Seconds of sound, and of work. */
  seconds: number;
  work: number;
  text: string;
}

export interface Listened {
  text: string;
  /** For each word, seconds from its end until it is in sight. */
  late: number[];
  isSlow: boolean;
}

/** Seconds; or what went wrong. */
export type Answer = { loaded: number } | { transcribed: Transcribed } | { listened: Listened } | { failed: string };

/** What the page has measured. */
export interface Measured {
  loadSeconds: number;
  recordings: Transcribed[];
  live: Listened[];
}
