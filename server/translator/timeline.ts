import type { ConversationTurn, Segment } from "#contract/index.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import { pcmRate } from "#speech/bytes.ts";
import { moved } from "#speech/words.ts";
import type { TurnRow } from "./queries.ts";

/** A turn on a conversation's timeline: its turns one after the other, in chronological order. */
export type Turn = Pick<TurnRow, "turn_id" | "date" | "samples">;

/** Sorted by date. */
export function inOrder(turns: readonly Turn[]): Turn[] {
  return turns.toSorted((one, other) => one.date - other.date || (one.turn_id < other.turn_id ? -1 : 1));
}

export function lengthOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => sum + turn.samples, 0);
}

/** Samples before a turn. */
export function beginOf(turns: readonly Turn[], turnId: string): number {
  return lengthOf(
    turns.slice(
      0,
      turns.findIndex((turn) => turn.turn_id === turnId),
    ),
  );
}

/** The segments of a new or changed turn. */
interface TurnUpdate {
  turnId: string;
  segments: Segment[];
}

/**
 * The segments of a conversation after its turns have changed. Those of removed turns are dropped; the others keep
 * their words, in the order and at the times of their turns.
 */
export function rearranged(
  segments: readonly Segment[],
  before: readonly Turn[],
  after: readonly Turn[],
  update?: TurnUpdate,
): Segment[] {
  return after.flatMap(({ turn_id }) => {
    if (turn_id === update?.turnId) return update.segments;
    const by = (beginOf(after, turn_id) - beginOf(before, turn_id)) / pcmRate;
    return segments
      .filter((segment) => segment.turn === turn_id)
      .map((segment) => placedAt(segment, by, 0, Number.POSITIVE_INFINITY));
  });
}

/** A turn's segments with times in the conversation, and with the properties that differ from its languages. */
export function placed(turn: ConversationTurn, turnId: string, turns: readonly Turn[], row: Languages): Segment[] {
  const begin = beginOf(turns, turnId) / pcmRate;
  // Typed text has no duration.
  const end = begin + (turns.find((own) => own.turn_id === turnId)?.samples ?? 0) / pcmRate;
  return turn.segments.map((segment) => {
    const { language: _, translationLanguage: __, ...own } = placedAt(segment, begin, begin, end);
    return {
      ...own,
      turn: turnId,
      ...(turn.sourceLanguage === row.source_language ? {} : { language: turn.sourceLanguage }),
      ...(turn.targetLanguage === row.target_language ? {} : { translationLanguage: turn.targetLanguage }),
    };
  });
}

type Languages = Pick<TranscriptionRow, "source_language" | "target_language">;

/** The owner's language, and its target: the other side's language. */
export function ownLanguages(turn: Omit<ConversationTurn, "segments">): Languages {
  const [own, other] = turn.languages;
  if (turn.sourceLanguage === own) return { source_language: own, target_language: turn.targetLanguage };
  return { source_language: own, target_language: other === "auto" ? null : baseLanguage(other) };
}

/** @param by offset in seconds; the result is clamped to `from` and `to` */
function placedAt(segment: Segment, by: number, from: number, to: number): Segment {
  return moved(segment, (seconds) => Math.round(Math.min(Math.max(seconds + by, from), to) * 1000) / 1000);
}
