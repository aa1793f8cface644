import * as v from "valibot";
import { InterfaceLanguage } from "./account.ts";
import { InsightModel } from "./insights.ts";
import { QueryNumber } from "./query-number.ts";
import { Moment } from "./transcription.ts";

/** Limits of texts in characters, and limits of results. */
export const searchLimits = { query: 300, question: 500, page: 50, hits: 1000 } as const;

/** Start and end of a match in a text (UTF-16). */
const Mark = v.tuple([v.pipe(v.number(), v.integer(), v.minValue(0)), v.pipe(v.number(), v.integer(), v.minValue(0))]);
export type Mark = v.InferOutput<typeof Mark>;

/** A passage with matches. All texts are as in the transcript. */
export const SearchHit = v.object({
  id: v.string(),
  title: v.string(),
  /** When it was recorded: ISO 8601, UTC. */
  date: v.string(),
  /** Language of the passage, without a region; "auto" when unknown. */
  language: v.string(),
  /** The engine's label ("1", "2", …) or a user's name for the speaker. */
  speaker: v.nullable(v.string()),
  /** Times in seconds; null for a title, or a text without times. */
  start: v.nullable(v.number()),
  end: v.nullable(v.number()),
  text: v.string(),
  marks: v.array(Mark),
  /** The translation, if it has matches; null otherwise. */
  translation: v.nullable(v.object({ text: v.string(), marks: v.array(Mark) })),
  isTitle: v.boolean(),
});
export type SearchHit = v.InferOutput<typeof SearchHit>;

/**
 * GET /api/v1/audio-transcriptions/search. The best first. `total`: number of passages found; with `hasMore`, at least
 * that many. `matched`: "all" if each passage has all of the words; if there is none, "any". `behind`: transcriptions
 * that are not indexed yet, because they are in progress, or have just been finished.
 */
export const SearchAnswer = v.object({
  hits: v.array(SearchHit),
  total: v.number(),
  hasMore: v.boolean(),
  matched: v.picklist(["all", "any"]),
  behind: v.number(),
  /** The model that answers questions; null when no language model is set up. */
  model: v.nullable(InsightModel),
});
export type SearchAnswer = v.InferOutput<typeof SearchAnswer>;

const filters = {
  /** With or without a region, which is ignored. */
  language: v.optional(v.pipe(v.string(), v.regex(/^[a-z]{2,8}(?:-[a-z0-9]{2,8})*$/i), v.maxLength(20))),
  /** Recorded at or after this time; before this time. */
  from: v.optional(Moment),
  to: v.optional(Moment),
};

/**
 * The query. `q`: words, beginnings of words with at least three letters, or "a phrase" in quotation marks; limit 1 to
 * 50 (default 20).
 */
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
  /** Language of the answer; null: that of the passages. */
  answerIn: v.optional(v.nullable(InterfaceLanguage), null),
  ...filters,
});
export type SearchQuestion = v.InferOutput<typeof SearchQuestion>;

/**
 * A sentence of an answer: plain text written by a model, and its supporting passages. It is shown unchanged, and never
 * interpreted.
 */
export const AnsweredPoint = v.object({ text: v.string(), passages: v.pipe(v.array(SearchHit), v.minLength(1)) });
export type AnsweredPoint = v.InferOutput<typeof AnsweredPoint>;

/** The final result. Nothing is stored. No points: nothing was found, or the passages do not answer the question. */
export const SearchAnswered = v.object({
  points: v.array(AnsweredPoint),
  /** Number of the model's sentences left out because no passage supports them. */
  omitted: v.number(),
  /** Number of passages given to the model. */
  read: v.number(),
});
export type SearchAnswered = v.InferOutput<typeof SearchAnswered>;

/**
 * Server-sent events. The data is one of these objects; the event's name is that of its member. `answered` or `error`
 * comes last.
 */
export const SearchAnswerEvent = v.union([
  /** Sent as the model writes them; a point is complete when the next one begins. */
  v.object({ point: AnsweredPoint }),
  v.object({ answered: SearchAnswered }),
  /** As in the body of an error response. */
  v.object({ error: v.object({ code: v.string(), message: v.string() }) }),
]);
export type SearchAnswerEvent = v.InferOutput<typeof SearchAnswerEvent>;

/** Emitted by the actor `ask`, as the server's answer streams in. */
export type Asking =
  | { type: "point.came"; point: AnsweredPoint }
  | { type: "answer.came"; answer: SearchAnswered }
  /** `until`: when the request can be repeated after too many (epoch ms). */
  | { type: "asking.failed"; code: string; until?: number };
