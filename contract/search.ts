import * as v from "valibot";
import { InterfaceLanguage } from "./account.ts";
import { InsightModel } from "./insights.ts";
import { QueryNumber } from "./query-number.ts";
import { Moment } from "./transcription.ts";

/** In characters, and how many. */
export const searchLimits = { query: 300, question: 500, page: 50, hits: 1000 } as const;

/** From where to where in a text (UTF-16) something was found. */
const Mark = v.tuple([v.pipe(v.number(), v.integer(), v.minValue(0)), v.pipe(v.number(), v.integer(), v.minValue(0))]);
export type Mark = v.InferOutput<typeof Mark>;

/** A passage in which something was found. All texts are as they stand in the transcript. */
export const SearchHit = v.object({
  id: v.string(),
  title: v.string(),
  /** When it was recorded: ISO 8601, UTC. */
  date: v.string(),
  /** Of the passage, without a region; "auto" where it is not known. */
  language: v.string(),
  /** As labelled by the engine ("1", "2", …) or named by a person. */
  speaker: v.nullable(v.string()),
  /** In seconds; null where what was found is the title, or a text without times. */
  start: v.nullable(v.number()),
  end: v.nullable(v.number()),
  text: v.string(),
  marks: v.array(Mark),
  /** Where something was found in it; null otherwise. */
  translation: v.nullable(v.object({ text: v.string(), marks: v.array(Mark) })),
  isTitle: v.boolean(),
});
export type SearchHit = v.InferOutput<typeof SearchHit>;

/**
 * GET /api/v1/audio-transcriptions/search. The best first. `total`: passages in which it was found; with `hasMore` at least so many.
 * `matched`: "all" of what was asked for is in each of them; where there are none, "any" of it. `behind`: transcriptions that are not searched
 * yet, because they are being made, or have just been.
 */
export const SearchAnswer = v.object({
  hits: v.array(SearchHit),
  total: v.number(),
  hasMore: v.boolean(),
  matched: v.picklist(["all", "any"]),
  behind: v.number(),
  /** What answers questions; null: no language model is set up. */
  model: v.nullable(InsightModel),
});
export type SearchAnswer = v.InferOutput<typeof SearchAnswer>;

const filters = {
  /** With or without a region, which does not matter. */
  language: v.optional(v.pipe(v.string(), v.regex(/^[a-z]{2,8}(?:-[a-z0-9]{2,8})*$/i), v.maxLength(20))),
  /** Recorded at this moment or later; before this moment. */
  from: v.optional(Moment),
  to: v.optional(Moment),
};

/** Its query. `q`: words, beginnings of words from three letters on, or "a sequence" in quotation marks; limit 1 to 50 (default 20). */
export const SearchQuery = v.object({
  q: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(searchLimits.query)),
  ...filters,
  page: QueryNumber(1, searchLimits.hits),
  limit: QueryNumber(20, searchLimits.page),
});
export type SearchQuery = v.InferOutput<typeof SearchQuery>;

/** POST /api/v1/audio-transcriptions/search/answer: a language model answers from the best passages. */
export const SearchQuestion = v.object({
  question: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(searchLimits.question)),
  /** Of the answer; null: that of the passages. */
  answerIn: v.optional(v.nullable(InterfaceLanguage), null),
  ...filters,
});
export type SearchQuestion = v.InferOutput<typeof SearchQuestion>;

/** A sentence of an answer: plain text that a model wrote, and the passages that it rests on. It is shown as it is, and never followed. */
export const AnsweredPoint = v.object({ text: v.string(), passages: v.pipe(v.array(SearchHit), v.minLength(1)) });
export type AnsweredPoint = v.InferOutput<typeof AnsweredPoint>;

/** What it ends with. Nothing of it is kept. No points: nothing was found, or the passages do not answer the question. */
export const SearchAnswered = v.object({
  points: v.array(AnsweredPoint),
  /** Sentences of the model that rested on nothing that was said, and were left out. */
  omitted: v.number(),
  /** How many passages the model was shown. */
  read: v.number(),
});
export type SearchAnswered = v.InferOutput<typeof SearchAnswered>;

/** Server-sent events, whose data is one of these; the event's name is the member's. `answered` or `error` comes last. */
export const SearchAnswerEvent = v.union([
  /** As the model writes them: the next one comes after it. */
  v.object({ point: AnsweredPoint }),
  v.object({ answered: SearchAnswered }),
  /** As in the body of an error answer. */
  v.object({ error: v.object({ code: v.string(), message: v.string() }) }),
]);
export type SearchAnswerEvent = v.InferOutput<typeof SearchAnswerEvent>;

/** Emitted by the actor `ask`, as the server's answer streams in. */
export type Asking =
  | { type: "point.came"; point: AnsweredPoint }
  | { type: "answer.came"; answer: SearchAnswered }
  /** `until`: when it can be asked again (epoch ms), where it was asked too often. */
  | { type: "asking.failed"; code: string; until?: number };
