import * as v from "valibot";

/**
 * Audio is processed in windows of this length (seconds): 77 MB of samples, and few enough stretches to compare all
 * pairs.
 */
export const windowSeconds = 20 * 60;

/** The process's first argument, as JSON. */
export const DiarizationModels = v.object({
  /** Absolute paths. */
  segmentation: v.string(),
  embedding: v.string(),
  threads: v.number(),
  /** Number of speakers in a window; absent: detected. */
  speakers: v.optional(v.number()),
});
export type DiarizationModels = v.InferOutput<typeof DiarizationModels>;

/** A window of decoded audio (s16le, 16 kHz, mono). */
export const DiarizationWindow = v.object({
  /** The file's absolute path. */
  pcm: v.string(),
  /** Start and length of the window in the file (samples). */
  from: v.number(),
  samples: v.number(),
});
export type DiarizationWindow = v.InferOutput<typeof DiarizationWindow>;

const Seconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/**
 * Who speaks when in one window: `speaker` counts from 0 within it. Times in seconds from the beginning of the audio.
 */
export const WindowTurns = v.object({
  turns: v.array(v.object({ start: Seconds, end: Seconds, speaker: v.pipe(v.number(), v.integer(), v.minValue(0)) })),
  /** Voice of each speaker: a vector at the speaker's number. */
  voices: v.array(v.array(v.pipe(v.number(), v.finite()))),
});
export type WindowTurns = v.InferOutput<typeof WindowTurns>;
