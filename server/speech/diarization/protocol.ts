import * as v from "valibot";

/** Audio is gone through in windows of this length (seconds): 77 MB of samples, and few enough stretches to compare each with each. */
export const windowSeconds = 20 * 60;

/** What the process is started with, as JSON in its first argument. */
export interface DiarizationOrder {
  /** Absolute paths of the two models. */
  segmentation: string;
  embedding: string;
  /** Of the decoded audio (s16le, 16 kHz, mono), and how much of it there is. */
  pcm: string;
  samples: number;
  windowSamples: number;
  /** How many speakers there are; undefined to find out. */
  speakers: number | undefined;
  threads: number;
}

const Seconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/** Who speaks when, in one window: `speaker` counts from 0 within it. Times in seconds from the beginning of the audio. */
export const WindowTurns = v.object({
  turns: v.array(v.object({ start: Seconds, end: Seconds, speaker: v.pipe(v.number(), v.integer(), v.minValue(0)) })),
  /** What each of its speakers sounds like: a vector by their number. */
  voices: v.array(v.array(v.pipe(v.number(), v.finite()))),
});
export type WindowTurns = v.InferOutput<typeof WindowTurns>;

/** A line that the process writes: a window is done, or something went wrong. */
export const DiarizationLine = v.union([
  v.object({ window: v.number(), of: v.number(), heard: WindowTurns }),
  v.object({ error: v.string() }),
]);
