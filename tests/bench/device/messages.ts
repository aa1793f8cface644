/** A request to the worker of the bench's page. The recordings are WAV files of 16,000 Hz, mono. */
export type Question = { type: "transcribe" | "listen"; sound: string };

export interface Transcribed {
  /** The seconds of audio, and of work. */
  seconds: number;
  work: number;
  text: string;
}

export interface Listened {
  text: string;
  /** For each word, the seconds from its end until it is shown. */
  late: number[];
  isSlow: boolean;
}

/** The result, or the error. Times in seconds. */
export type Answer = { loaded: number } | { transcribed: Transcribed } | { listened: Listened } | { failed: string };

/** The results of the page. */
export interface Measured {
  loadSeconds: number;
  recordings: Transcribed[];
  live: Listened[];
}
