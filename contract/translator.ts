import * as v from "valibot";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { Moment, Segment } from "./transcription.ts";

/** The spoken language ("es-ES", "auto" included) or, where it can only be typed, a text language ("zu"). */
export const TurnLanguage = v.union([SpeechLanguage, TextLanguage]);

/**
 * PUT /api/v1/audio-transcriptions/conversations/{conversationId}/turns/{turnId}: one turn of a conversation, saved as soon as it
 * is over. `conversationId` (a UUID, the transcription's client id) is made by the page; the first turn creates the
 * transcription. `turnId` is the live recording whose audio belongs to it. Idempotent; a deleted turn does not come back. The
 * answer is the whole transcription: turns ordered by date, times in seconds from the beginning of its one audio. DELETE of the
 * same address deletes the turn and its audio, with the same answer.
 */
export const ConversationTurn = v.object({
  /** The conversation's two languages: its owner's, and the other side's. */
  languages: v.tuple([TurnLanguage, TurnLanguage]),
  /** The language of this turn, spoken or typed (typed: segments without words, and no recording), and its target language. */
  sourceLanguage: TurnLanguage,
  targetLanguage: TextLanguage,
  /** Times in seconds from the beginning of the turn. */
  segments: v.pipe(v.array(Segment), v.maxLength(5_000)),
  /** The title of the conversation, when this turn creates it. */
  title: v.pipe(v.string(), v.trim(), v.maxLength(300)),
  /** When the turn began: ISO 8601, UTC. */
  date: Moment,
});
export type ConversationTurn = v.InferOutput<typeof ConversationTurn>;
