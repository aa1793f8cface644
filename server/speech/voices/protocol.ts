import * as v from "valibot";

/** A sentence to be spoken; `rate` 1 is the voice's own speed. */
export const VoiceRequest = v.object({ text: v.string(), speaker: v.number(), rate: v.number() });
export type VoiceRequest = v.InferOutput<typeof VoiceRequest>;

/** Five minutes at 48,000 samples a second, for what is a sentence at most. */
const maxBytes = 5 * 60 * 48_000 * 2;

/** PCM (s16le, mono) and its samples per second. Empty: the voice has no sounds for it. */
export const VoiceAnswer = v.object({
  pcm: v.pipe(
    v.instance(Uint8Array),
    v.check((pcm) => pcm.length % 2 === 0 && pcm.length <= maxBytes),
  ),
  rate: v.pipe(v.number(), v.integer(), v.minValue(8_000), v.maxValue(192_000)),
});
export type VoiceAnswer = v.InferOutput<typeof VoiceAnswer>;
