import * as v from "valibot";

/** What a punctuation model is asked: words in lower case between single spaces. Its answer: the same words with casing and punctuation. */
export const PunctuationRequest = v.object({ text: v.string() });
export type PunctuationRequest = v.InferOutput<typeof PunctuationRequest>;
