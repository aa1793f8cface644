import type { ConversationTurn, Segment } from "#contract/index.ts";
import { pcmRate } from "#server/speech/index.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import type { TurnRow } from "./queries.ts";

/** A conversation as a timeline: its turns one after the other, in the order in which they were said. */
export type Turn = Pick<TurnRow, "turn_id" | "date" | "samples">;

/** In the order of their dates. */
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

/** The segments of a turn that is new, or has changed. */
interface TurnUpdate {
  turnId: string;
  segments: Segment[];
}

/**
 * The segments of a conversation whose turns have changed: those of turns that are gone are left out, the others keep their words, in the
 * order and at the times of their turns.
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
      .map((segment) => moved(segment, by, 0, Number.POSITIVE_INFINITY));
  });
}

/** The segments of one turn with their place in the conversation, and what sets them apart from its own languages. */
export function placed(turn: ConversationTurn, turnId: string, turns: readonly Turn[], row: Languages): Segment[] {
  const begin = beginOf(turns, turnId) / pcmRate;
  // What was typed takes no time.
  const end = begin + (turns.find((own) => own.turn_id === turnId)?.samples ?? 0) / pcmRate;
  return turn.segments.map((segment) => {
    const { language: _, translationLanguage: __, ...own } = moved(segment, begin, begin, end);
    return {
      ...own,
      turn: turnId,
      ...(turn.sourceLanguage === row.source_language ? {} : { language: turn.sourceLanguage }),
      ...(turn.targetLanguage === row.target_language ? {} : { translationLanguage: turn.targetLanguage }),
    };
  });
}

type Languages = Pick<TranscriptionRow, "source_language" | "target_language">;

/** What a conversation's owner speaks, and what that is translated to: what the other side speaks. */
export function ownLanguages(turn: Omit<ConversationTurn, "segments">): Languages {
  const [own, other] = turn.languages;
  if (turn.sourceLanguage === own) return { source_language: own, target_language: turn.targetLanguage };
  return { source_language: own, target_language: other === "auto" ? null : baseLanguage(other) };
}

/** @param by seconds later; then kept between `from` and `to` */
function moved(segment: Segment, by: number, from: number, to: number): Segment {
  const at = (seconds: number) => Math.round(Math.min(Math.max(seconds + by, from), to) * 1000) / 1000;
  return {
    ...segment,
    start: at(segment.start),
    end: at(segment.end),
    words: segment.words.map((word) => ({ ...word, start: at(word.start), end: at(word.end) })),
  };
}
