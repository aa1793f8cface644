import * as v from "valibot";

const Files = v.object({ model: v.string(), shortlist: v.optional(v.string()), vocabularies: v.array(v.string()) });

/** To the process: texts to translate with one model, or with two through a language between them. */
export const Request = v.object({ id: v.number(), models: v.array(Files), texts: v.array(v.string()) });
export type Request = v.InferOutput<typeof Request>;

/** From the process; it ends after an error, and after an answer that it calls the last one. */
export const Answer = v.union([
  v.object({ id: v.number(), texts: v.array(v.string()), isLast: v.boolean() }),
  v.object({ id: v.number(), error: v.string() }),
]);
export type Answer = v.InferOutput<typeof Answer>;
