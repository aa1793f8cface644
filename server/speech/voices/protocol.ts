import * as v from "valibot";

/** A sentence to be spoken; `rate` 1 is the voice's own speed. */
export const VoiceRequest = v.object({ text: v.string(), speaker: v.number(), rate: v.number() });
export type VoiceRequest = v.InferOutput<typeof VoiceRequest>;

/** PCM (s16le, mono) and its samples per second. Empty: the voice has no sounds for it. */
export const VoiceAnswer = v.object({ pcm: v.instance(Uint8Array), rate: v.number() });
export type VoiceAnswer = v.InferOutput<typeof VoiceAnswer>;
