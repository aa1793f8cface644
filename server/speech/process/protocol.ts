import * as v from "valibot";

/** Options of a request; an engine ignores those that it does not know. */
export const Wishes = v.object({
  /** Names and terms to expect, one per line. */
  vocabulary: v.optional(v.string()),
  /** The two-letter code of the language to translate into while recognizing. */
  target: v.optional(v.string()),
});
export type Wishes = v.InferOutput<typeof Wishes>;

/**
 * A request to an engine's process (serve.ts). `transcribe`: PCM of a whole utterance, answered with its text. `begin`:
 * a new utterance in a stream, with text while it arrives. `feed`: more of it, answered with the text so far.
 * `discard`: the stream is over. `begin` and `discard` are not answered.
 */
export const Request = v.object({
  kind: v.picklist(["transcribe", "begin", "feed", "discard"]),
  /** Id of the answer; 0 when none is expected. */
  id: v.number(),
  /** 0 for `transcribe`. */
  stream: v.number(),
  /** A speech language of the contract. */
  language: v.string(),
  pcm: v.custom<Uint8Array>((value) => value instanceof Uint8Array),
  wishes: v.optional(Wishes),
});
export type Request = v.InferOutput<typeof Request>;

/** `recognized` is in the engine's own format; its client validates it. */
export const Answer = v.union([
  v.object({ ready: v.literal(true) }),
  v.object({ id: v.number(), error: v.string() }),
  v.object({ id: v.number(), text: v.string() }),
  v.object({ id: v.number(), recognized: v.unknown() }),
]);
export type Answer = v.InferOutput<typeof Answer>;
