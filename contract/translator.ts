import * as v from "valibot";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { Moment, Segment } from "./transcription.ts";

/** The spoken language ("es-ES", or "auto"), or a text language if it can only be typed ("zu"). */
export const TurnLanguage = v.union([SpeechLanguage, TextLanguage]);

/**
 * PUT /api/v1/audio-transcriptions/conversations/{conversationId}/turns/{turnId}: saves one turn of a conversation as
 * soon as it is over. The page generates `conversationId` (a UUID, the transcription's client id); the first turn
 * creates the transcription. `turnId` is the live recording with its audio. Idempotent; a deleted turn does not come
 * back. The response is the whole transcription: turns sorted by date, times in seconds from the beginning of its
 * single audio. DELETE of the same URL deletes the turn and its audio, with the same response.
 */
export const ConversationTurn = v.object({
  /** The conversation's two languages: the owner's, and the other side's. */
  languages: v.tuple([TurnLanguage, TurnLanguage]),
  /**
   * The language of this turn, spoken or typed (typed: segments without words, and no recording), and its target
   * language.
   */
  sourceLanguage: TurnLanguage,
  targetLanguage: TextLanguage,
  /** Times in seconds from the beginning of the turn. */
  segments: v.pipe(v.array(Segment), v.maxLength(5_000)),
  /** Title of the conversation, if this turn creates it. */
  title: v.pipe(v.string(), v.trim(), v.maxLength(300)),
  /** When the turn began: ISO 8601, UTC. */
  date: Moment,
});
export type ConversationTurn = v.InferOutput<typeof ConversationTurn>;
