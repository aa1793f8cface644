import * as v from "valibot";

const Files = v.object({ model: v.string(), shortlist: v.optional(v.string()), vocabularies: v.array(v.string()) });

/** Texts to translate with one model, or with two in sequence. The answer has one text for each text. */
export const BergamotRequest = v.object({ models: v.array(Files), texts: v.array(v.string()) });
export type BergamotRequest = v.InferOutput<typeof BergamotRequest>;
