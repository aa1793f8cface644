import * as v from "valibot";

/** Audio is gone through in windows of this length (seconds): 77 MB of samples, and few enough stretches to compare each with each. */
export const windowSeconds = 20 * 60;

/** What the process is started with, as JSON in its first argument. */
export const DiarizationModels = v.object({
  /** Absolute paths. */
  segmentation: v.string(),
  embedding: v.string(),
  threads: v.number(),
  /** How many speakers there are in a window; absent: to be found out. */
  speakers: v.optional(v.number()),
});
export type DiarizationModels = v.InferOutput<typeof DiarizationModels>;

/** A window of decoded audio (s16le, 16 kHz, mono). */
export const DiarizationWindow = v.object({
  /** The file's absolute path. */
  pcm: v.string(),
  /** Where the window begins in it, and how long it is (samples). */
  from: v.number(),
  samples: v.number(),
});
export type DiarizationWindow = v.InferOutput<typeof DiarizationWindow>;

const Seconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/** Who speaks when, in one window: `speaker` counts from 0 within it. Times in seconds from the beginning of the audio. */
export const WindowTurns = v.object({
  turns: v.array(v.object({ start: Seconds, end: Seconds, speaker: v.pipe(v.number(), v.integer(), v.minValue(0)) })),
  /** What each of its speakers sounds like: a vector by their number. */
  voices: v.array(v.array(v.pipe(v.number(), v.finite()))),
});
export type WindowTurns = v.InferOutput<typeof WindowTurns>;
