import * as v from "valibot";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { Moment, Segment } from "./transcription.ts";

/** As it is spoken ("es-ES", "auto" included) or, where it can only be typed, written ("zu"). */
export const TurnLanguage = v.union([SpeechLanguage, TextLanguage]);

/**
 * PUT /api/v1/audio-transcriptions/conversations/{conversationId}/turns/{turnId}: one turn of a conversation, saved as soon as it is
 * over. `conversationId` (a UUID, the transcription's client id) is made by the page; the first turn makes the transcription. `turnId`
 * is the live recording whose audio belongs to it. Saving a turn twice saves it once; one that was deleted does not come back.
 * The answer is the whole transcription: turns in the order of their dates, times in seconds from the beginning of its one audio.
 * DELETE of the same address takes the turn and its audio away, and answers in the same way.
 */
export const ConversationTurn = v.object({
  /** The conversation's two languages: what its owner speaks, and the other side. */
  languages: v.tuple([TurnLanguage, TurnLanguage]),
  /** What was spoken (or typed: segments without words, and no recording) in this turn, and what it is translated to. */
  sourceLanguage: TurnLanguage,
  targetLanguage: TextLanguage,
  /** Times in seconds from the beginning of the turn. */
  segments: v.pipe(v.array(Segment), v.maxLength(5_000)),
  /** For the conversation, when this turn makes it. */
  title: v.pipe(v.string(), v.trim(), v.maxLength(300)),
  /** When the turn began: ISO 8601, UTC. */
  date: Moment,
});
export type ConversationTurn = v.InferOutput<typeof ConversationTurn>;
