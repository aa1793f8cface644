import { textOf } from "#contract/correcting/text.ts";
import { ConversationTurn, type Segment } from "#contract/index.ts";
import { hiddenOfTurns, parseHidden } from "#server/transcription/hidden.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import { readBody, type SegmentsJson, type Transcript, transcriptOf } from "#server/transcription/thread-tasks.ts";
import { placed, rearranged, type Turn } from "./timeline.ts";

/**
 * Everything that parses a conversation's segments. It runs in a thread (thread-tasks.ts), because the longest take
 * seconds.
 */
export const turnTasks = {
  /** The body of PUT …/conversations/{id}/turns/{id}. */
  readTurn: (body: Uint8Array) => {
    const { segments, ...turn } = readBody(ConversationTurn, body);
    return { turn, segments: JSON.stringify(segments), text: textOf(segments) };
  },

  /** Updates a conversation's segments; `update` is the new or changed turn. */
  arranged: ({ kept, before, after, update }: Arrangement): Transcript => {
    const segments = parseSegments(kept);
    if (update === undefined) return transcriptOf(rearranged(segments, before, after));
    const { turnId, turn, languages, isKnown } = update;
    const own = segments.filter((segment) => segment.turn === turnId);
    const anew = placed({ ...turn, segments: parseSegments(update.segments) }, turnId, after, languages);
    // Later corrections are kept.
    const isCorrected = isKnown && textOf(own) !== textOf(anew);
    return transcriptOf(rearranged(segments, before, after, isCorrected ? undefined : { turnId, segments: anew }));
  },

  /** Hidden translations (transcription/hidden.ts), without those of deleted turns. */
  hiddenAfter: ({ hidden, after }: { hidden: string; after: Turn[] }): string =>
    JSON.stringify(hiddenOfTurns(parseHidden(hidden), after)),

  /**
   * Adds the translation of a turn saved without one. @returns undefined when there is nothing new, or it was corrected
   * since
   */
  turnTranslated: ({ kept, turnId, segments }: { kept: SegmentsJson; turnId: string; segments: SegmentsJson }) =>
    withTurnTranslated(parseSegments(kept), turnId, parseSegments(segments)),
};

export interface Arrangement {
  kept: SegmentsJson;
  before: Turn[];
  after: Turn[];
  update?:
    | {
        turnId: string;
        turn: Omit<ConversationTurn, "segments">;
        segments: SegmentsJson;
        languages: Parameters<typeof placed>[3];
        /** Whether it existed before. */
        isKnown: boolean;
      }
    | undefined;
}

function withTurnTranslated(kept: readonly Segment[], turnId: string, update: readonly Segment[]): Transcript | undefined {
  const own = kept.filter((segment) => segment.turn === turnId);
  const isSame = own.length === update.length && own.every(({ text }, i) => text === update[i]?.text);
  const isNewlyTranslated = own.some((segment, i) => isUntranslated(segment) && !isUntranslated(update[i]));
  if (!isSame || !isNewlyTranslated) return undefined;
  let next = 0;
  return transcriptOf(
    kept.map((segment): Segment => {
      if (segment.turn !== turnId) return segment;
      const { translation } = update[next++] ?? {};
      return isUntranslated(segment) && translation !== undefined ? { ...segment, translation } : segment;
    }),
  );
}

function isUntranslated(segment: Segment | undefined): boolean {
  return (segment?.translation ?? "") === "";
}
