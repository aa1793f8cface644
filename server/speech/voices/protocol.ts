import * as v from "valibot";

/** A sentence to speak; `rate` 1 is the voice's normal speed. */
export const VoiceRequest = v.object({ text: v.string(), speaker: v.number(), rate: v.number() });
export type VoiceRequest = v.InferOutput<typeof VoiceRequest>;

/** Largest answer (bytes): five minutes at 48,000 samples per second. A request is one sentence at most. */
const maxBytes = 5 * 60 * 48_000 * 2;

/** PCM (s16le, mono) and its samples per second. Empty when the voice has no sounds for the text. */
export const VoiceAnswer = v.object({
  pcm: v.pipe(
    v.instance(Uint8Array),
    v.check((pcm) => pcm.length % 2 === 0 && pcm.length <= maxBytes),
  ),
  rate: v.pipe(v.number(), v.integer(), v.minValue(8_000), v.maxValue(192_000)),
});
export type VoiceAnswer = v.InferOutput<typeof VoiceAnswer>;
